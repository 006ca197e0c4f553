// The columns of bodies, springs and loads: each value where its path says.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/io/result_columns.hpp"

namespace fem {
namespace {

const ResultLayout kLayout{.points = {"O", "A"},
                           .bodies = {{.name = "hub", .point = 1, .mass = 2, .inertia = 3}},
                           .springs = {{.name = "cable", .points = {0, 1}}},
                           .loads = {"wind"}};

Snapshot make_snapshot() {
  Snapshot s;
  s.position = s.velocity = s.acceleration = std::vector<double>(6, 0.0);
  s.bodies = {{.angle = 1, .rate = 2, .center_x = 3, .center_y = 4}};
  s.springs = {{.length = 5, .rate = 6, .force = 7}};
  s.loads = {{.force_x = 8, .force_y = 9, .force_z = 11, .moment = 10}};
  return s;
}

struct Expected {
  std::string path;
  std::vector<std::size_t> row;
  std::string unit;
  std::vector<double> values;
};

TEST(ResultObjects, HaveColumns) {
  std::vector<Column> columns = make_columns(kLayout);
  append_row(make_snapshot(), Analysis::dynamics, columns);
  for (const Expected& e : {Expected{"/bodies/hub/angle", {}, "rad", {1}},
                            Expected{"/bodies/hub/rate", {}, "rad/s", {2}},
                            Expected{"/bodies/hub/center", {2}, "m", {3, 4}},
                            Expected{"/springs/cable/length", {}, "m", {5}},
                            Expected{"/springs/cable/rate", {}, "m/s", {6}},
                            Expected{"/springs/cable/force", {}, "N", {7}},
                            Expected{"/loads/wind/force", {2}, "N", {8, 9}},
                            Expected{"/loads/wind/force_z", {}, "N", {11}},
                            Expected{"/loads/wind/moment", {}, "N m", {10}}}) {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& c) { return c.path == e.path; });
    ASSERT_NE(found, columns.end()) << e.path;
    EXPECT_EQ(found->row, e.row) << e.path;
    EXPECT_EQ(found->unit, e.unit) << e.path;
    EXPECT_EQ(found->waiting, e.values) << e.path;
  }
  EXPECT_EQ(columns.back().path, "/time");
}

}  // namespace
}  // namespace fem
