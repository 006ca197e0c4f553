#include "libfem/model/hinge_lock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

const char* key_of(LockKind kind) {
  switch (kind) {
    case LockKind::hold:
      return "/hold";
    case LockKind::latch:
      return "/latch";
    case LockKind::jam:
      return "/jam";
    default:
      return "/stop";
  }
}

}  // namespace

void lock_hinge(Model& model, int index, LockKind kind, const std::vector<double>& natural) {
  Hinge& hinge = model.hinges[at(index)];
  FEM_DEMAND(kind != LockKind::none && hinge.lock == kNone);
  hinge.locked = kind;
  hinge.lock = static_cast<int>(model.rows.size());
  model.rows.push_back({.terms = {{hinge.first, -1.0}, {hinge.second, 1.0}},
                        .constant = natural[at(hinge.second)] - natural[at(hinge.first)],
                        .kind = RowKind::hinge_lock,
                        .owner = index,
                        .pointer = join_pointer("/hinges", hinge.name) + key_of(kind)});
}

void unlock_hinge(Model& model, int index) {
  const int row = model.hinges[at(index)].lock;
  FEM_DEMAND(row != kNone && model.rows[at(row)].kind == RowKind::hinge_lock);
  model.rows.erase(model.rows.begin() + row);
  // Locks are the last rows: only they move up.
  for (Hinge& hinge : model.hinges) {
    if (hinge.lock > row) --hinge.lock;
  }
  model.hinges[at(index)].locked = LockKind::none;
  model.hinges[at(index)].lock = kNone;
}

void catch_latch(Model& model, int index) {
  Hinge& hinge = model.hinges[at(index)];
  FEM_DEMAND(hinge.latch && !hinge.latched);
  hinge.latched = true;
  if (!hinge.latch->spring) return;
  if (!hinge.law) hinge.law.emplace();
  hinge.law->latch_stiffness = hinge.latch->spring->stiffness;
  hinge.law->latch_viscosity = hinge.latch->spring->viscosity;
  hinge.law->latch_angle = hinge.latch->angle;
}

void lock_at_start(Model& model, const std::vector<double>& natural) {
  for (std::size_t i = 0; i < model.hinges.size(); ++i) {
    const int h = static_cast<int>(i);
    Hinge& hinge = model.hinges[i];
    if (hinge.lock != kNone) unlock_hinge(model, h);
    hinge.latched = false;
    if (hinge.law) hinge.law->latch_stiffness = hinge.law->latch_viscosity = 0;
    const double angle = natural[at(hinge.second)] - natural[at(hinge.first)] + hinge.turns;
    const bool caught = hinge.latch && std::abs(angle - hinge.latch->angle) <= kSameAngle;
    const bool held = std::any_of(hinge.holds.begin(), hinge.holds.end(),
                                  [](const Hold& hold) { return !hold.from; });
    if (caught) catch_latch(model, h);
    if (caught && !hinge.latch->spring) {
      lock_hinge(model, h, LockKind::latch, natural);
    } else if (held) {
      lock_hinge(model, h, LockKind::hold, natural);
    }
  }
}

std::vector<HingeStatus> list_hinge_status(const Model& model) {
  std::vector<HingeStatus> status;
  for (const Hinge& h : model.hinges) {
    const double constant = h.lock == kNone ? 0 : model.rows[at(h.lock)].constant;
    status.push_back({h.latched, h.locked, h.lock, constant});
  }
  return status;
}

void restore_hinges(Model& model, const std::vector<HingeStatus>& status) {
  FEM_DEMAND(status.size() == model.hinges.size());
  std::vector<int> locked;
  for (std::size_t i = 0; i < status.size(); ++i) {
    const int index = static_cast<int>(i);
    if (model.hinges[i].lock != kNone) unlock_hinge(model, index);
    if (status[i].latched && !model.hinges[i].latched) catch_latch(model, index);
    if (status[i].row != kNone) locked.push_back(index);
  }
  std::sort(locked.begin(), locked.end(),
            [&](int a, int b) { return status[at(a)].row < status[at(b)].row; });
  for (const int index : locked) {
    lock_hinge(model, index, status[at(index)].locked, model.start);
    model.rows.back().constant = status[at(index)].constant;
  }
}

}  // namespace fem
