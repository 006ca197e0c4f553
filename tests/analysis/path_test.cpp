// What lies between two stations of a path: an arm on a hinge, whose spring balances the load
// factor, S(φ) + λ = 0, with a maximum λ = 2 at φ = 0.5.
#include "libfem/analysis/path.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/model/model.hpp"

namespace fem {
namespace {

CaseDescription arm() {
  CaseDescription d;
  d.points = {{"O", {0, 0}}};
  d.bodies = {{.name = "ground", .at = "O", .mass = 1, .inertia = 1},
              {.name = "arm", .at = "O", .mass = 1, .inertia = 1}};
  d.hinges = {{.name = "root",
               .at = "O",
               .members = {"ground", "arm"},
               .spring = HingeSpringDescription{.table = {{-1, 1}, {0, 0}, {0.5, -2}, {1, -1}}}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "ground"}};
  d.point_loads = {{.name = "M", .at = "O", .moment = 1.0, .rod = "arm"}};
  d.analysis = {.end = 1, .output_every = 1};
  return d;
}

class PathTest : public testing::Test {
 protected:
  // The station at the load factor that Newton's method finds from the last one.
  Station station_at(double load) {
    last_.point.load = load;
    EXPECT_TRUE(settle_station(equilibrium_, {{}, 1}, {}, last_));
    return last_;
  }

  Model model_ = make_model(arm());
  System system_{model_, {1}};
  std::vector<double> start_ = system_.initial_positions();
  Equilibrium equilibrium_{system_, 0, 1, start_};
  Station last_{
      .point = {Eigen::VectorXd::Map(start_.data(), static_cast<Eigen::Index>(start_.size())), 0},
      .tangent = {}};
};

TEST_F(PathTest, RootsAreFoundToTheTolerance) {
  const Station a = station_at(0), b = station_at(1);
  const Segment segment(equilibrium_, a, b, Along::load);
  const Segment::Root root =
      segment.find_root([](const Station& y) { return y.point.load - 0.3; }, 1e-12);
  EXPECT_NEAR(root.station.point.load, 0.3, 1e-12);
  EXPECT_EQ(root.load_error, 0);
}

TEST_F(PathTest, RootsMayBeEnds) {
  const Station a = station_at(0), b = station_at(1);
  const Segment segment(equilibrium_, a, b, Along::load);
  const auto f = [](double at) { return [at](const Station& y) { return y.point.load - at; }; };
  EXPECT_EQ(segment.find_root(f(1e-13), 1e-12).s, 0);
  EXPECT_EQ(segment.find_root(f(1 - 1e-13), 1e-12).s, segment.length());
}

// At a kink the rate of the path jumps and is nowhere zero.
TEST_F(PathTest, JumpsAreRoots) {
  const Station a = station_at(0), b = station_at(1);
  const Segment segment(equilibrium_, a, b, Along::load);
  for (const double low : {-1.0, -1e-4, -1e4}) {
    const Segment::Root root = segment.find_root(
        [low](const Station& y) { return y.point.load < 0.7 ? low : 1.0; }, 1e-12);
    EXPECT_NEAR(root.station.point.load, 0.7, 1e-8) << low;
    EXPECT_LE(std::abs(root.station.point.load - 0.7), root.load_error) << low;
    EXPECT_LE(root.load_error, 1e-8) << low;
  }
}

// The spring bears no more than 2: between 1 and 3 nothing may be found.
TEST_F(PathTest, AnEndStandsForARootThatIsNotFound) {
  const Station a = station_at(1);
  Station b = a;
  b.point.load = 3;
  const Segment segment(equilibrium_, a, b, Along::load);
  const Segment::Root root =
      segment.find_root([](const Station& y) { return y.point.load - 2.5; }, 1e-12);
  EXPECT_EQ(root.s, segment.length());
  EXPECT_EQ(root.load_error, 2);
}

TEST(SignWatch, ChangesWithTheSign) {
  SignWatch watch;
  watch.start(1, 0.1);
  EXPECT_FALSE(watch.changes(2, 0.1));
  EXPECT_TRUE(watch.changes(-2, 0.1));
  EXPECT_FALSE(watch.changes(-1, 0.1));
  EXPECT_TRUE(watch.changes(1, 0.1));
}

TEST(SignWatch, WhatIsAsSmallAsRoundingHasNoSign) {
  SignWatch watch;
  watch.start(1, 0.1);
  for (const double noise : {-0.1, 0.1, 0.0, -0.05}) EXPECT_FALSE(watch.changes(noise, 0.1));
  EXPECT_FALSE(watch.changes(1, 0.1));
  EXPECT_FALSE(watch.changes(-0.1, 0.1));
  EXPECT_TRUE(watch.changes(-1, 0.1));
  watch.start(0.05, 0.1);  // none yet
  EXPECT_FALSE(watch.changes(-1, 0.1));
  EXPECT_TRUE(watch.changes(1, 0.1));
}

}  // namespace
}  // namespace fem
