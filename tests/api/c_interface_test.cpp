// What a C program sees: statuses, words, and no exception whatever it passes.
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/api/libfem.h"
#include "libfem/base/version.hpp"

namespace fem {
namespace {

using ::testing::HasSubstr;

// A soft rod that hangs from a hinge and swings; its place is moved by a law.
constexpr const char* kCase = R"({
  "libfem": 1, "gravity": [0, -9.81],
  "sections": {"soft": {"EA": 400, "EI": 2, "GAs": 150, "mass_per_length": 1,
                        "inertia_per_length": 0.005}},
  "laws": {"shake": {"kind": "linear", "points": [[0, 0], [0.1, 0.01], [0.5, 0]]}},
  "points": {"O": [0, 0], "A": [1, 0]},
  "rods": {"rod": {"section": "soft", "from": "O", "to": "A", "elements": 2}},
  "supports": {"O": {"fix": ["x"], "y": "shake"}},
  "analysis": {"end": 0.2, "output": {"every": 0.05}}
})";

// The law ceases to be a number at 0.04 s.
constexpr const char* kFailing = R"json({
  "libfem": 1,
  "laws": {"push": {"kind": "expression", "expression": "1e-3*(sqrt(0.04 - t) - 0.2)"}},
  "points": {"O": [0, 0]},
  "bodies": {"disc": {"at": "O", "mass": 1, "inertia": 0.1}},
  "supports": {"O": {"x": "push"}},
  "analysis": {"end": 0.2, "output": {"every": 0.05}}
})json";

class CInterface : public ::testing::Test {
 protected:
  std::string message() { return fem_message(run()); }
  fem_simulation* run() { return run_.get(); }

 private:
  std::unique_ptr<fem_simulation, decltype(&fem_delete)> run_{fem_new(), &fem_delete};
};

TEST_F(CInterface, RunsACase) {
  EXPECT_STREQ(fem_version(), kVersion);
  ASSERT_EQ(fem_load_text(run(), kCase), FEM_OK) << message();
  EXPECT_EQ(fem_time(run()), 0);
  EXPECT_EQ(fem_end(run()), 0.2);
  ASSERT_EQ(fem_step(run()), FEM_OK) << message();
  EXPECT_GT(fem_time(run()), 0);
  ASSERT_EQ(fem_advance_to(run(), 0.15), FEM_OK) << message();

  fem_quantity found, position;
  ASSERT_EQ(fem_find_quantity(run(), "/points/position", &position), FEM_OK) << message();
  EXPECT_STREQ(position.unit, "m");
  EXPECT_EQ(position.dimensions, 2U);
  EXPECT_EQ(position.size, position.shape[0] * position.shape[1]);
  std::size_t row = 9;
  ASSERT_EQ(fem_find_point(run(), "A", &row), FEM_OK) << message();
  ASSERT_LT(row, position.shape[0]);
  ASSERT_EQ(fem_find_quantity(run(), "/energy/kinetic", &found), FEM_OK) << message();
  EXPECT_EQ(found.dimensions, 0U);
  EXPECT_EQ(found.size, 1U);
  EXPECT_GT(found.values[0], 0);
  std::size_t count = 0;
  while (fem_get_quantity(run(), count, &found) == FEM_OK) ++count;
  EXPECT_GT(count, 10U);
  EXPECT_THAT(message(), HasSubstr("past the last one"));

  double time = -1;
  const char *name = nullptr, *what = nullptr;
  ASSERT_GT(fem_event_count(run()), 0U);
  ASSERT_EQ(fem_get_event(run(), 0, &time, &name, &what), FEM_OK) << message();
  EXPECT_EQ(time, 0);
  EXPECT_EQ(fem_get_event(run(), fem_event_count(run()), &time, &name, &what), FEM_BAD_INPUT);
  EXPECT_EQ(fem_finish(run()), FEM_OK) << message();
}

TEST_F(CInterface, SteersLaws) {
  ASSERT_EQ(fem_load_text(run(), kCase), FEM_OK) << message();
  ASSERT_EQ(fem_advance_to(run(), 0.05), FEM_OK) << message();
  double law[3];
  ASSERT_EQ(fem_get_law(run(), "shake", law), FEM_OK) << message();
  EXPECT_DOUBLE_EQ(law[0], 0.005);
  EXPECT_DOUBLE_EQ(law[1], 0.1);
  ASSERT_EQ(fem_go_on(run(), "shake", 0.2, 0), FEM_OK) << message();
  ASSERT_EQ(fem_advance_to(run(), 0.06), FEM_OK) << message();
  ASSERT_EQ(fem_reach(run(), "shake", 0.01, 0.1), FEM_OK) << message();
  ASSERT_EQ(fem_advance_to(run(), 0.18), FEM_OK) << message();
  ASSERT_EQ(fem_get_law(run(), "shake", law), FEM_OK) << message();
  EXPECT_NEAR(law[0], 0.01, 1e-15);  // rounding of the fifth-degree way there
  EXPECT_EQ(fem_set_law(run(), "shake", 0.5), FEM_BAD_INPUT);  // a place does not jump
  EXPECT_NE(message(), "");
}

TEST_F(CInterface, RecordsWhatTheProgramWould) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("c_interface_" + std::to_string(::getpid()) + ".h5");
  ASSERT_EQ(fem_load_text(run(), kCase), FEM_OK) << message();
  ASSERT_EQ(fem_record(run(), path.c_str()), FEM_OK) << message();
  ASSERT_EQ(fem_advance_to(run(), 0.2), FEM_OK) << message();
  ASSERT_EQ(fem_finish(run()), FEM_OK) << message();
  EXPECT_GT(std::filesystem::file_size(path), 1000U);
  std::filesystem::remove(path);
  ASSERT_EQ(fem_load_text(run(), kCase), FEM_OK) << message();
  EXPECT_EQ(fem_record(run(), "/no/such/folder/out.h5"), FEM_FILE_FAILED);
  EXPECT_THAT(message(), HasSubstr("/no/such/folder/out.h5"));
}

TEST_F(CInterface, SaysWhatIsWrong) {
  EXPECT_EQ(message(), "");
  EXPECT_EQ(fem_load_text(run(), "{"), FEM_BAD_INPUT);
  EXPECT_NE(message(), "");
  EXPECT_EQ(fem_load_file(run(), "/no/such/case.json"), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("there is no such file"));
  ASSERT_EQ(fem_load_text(run(), kCase), FEM_OK) << message();
  EXPECT_EQ(fem_advance_to(run(), 1), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("cannot advance to"));
  fem_quantity found;
  EXPECT_EQ(fem_find_quantity(run(), "/energy/kinetik", &found), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("kinetic"));
  EXPECT_EQ(fem_set_law(run(), "shakes", 0), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("shake"));
}

TEST_F(CInterface, SaysWhyTheSolverFailed) {
  ASSERT_EQ(fem_load_text(run(), kFailing), FEM_OK) << message();
  EXPECT_EQ(fem_advance_to(run(), 0.2), FEM_SOLVER_FAILED);
  EXPECT_THAT(message(), HasSubstr("'push'"));
}

TEST_F(CInterface, RefusesCallsWithoutACaseAndWithNothing) {
  EXPECT_EQ(fem_step(run()), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("no case is loaded"));
  EXPECT_TRUE(std::isnan(fem_time(run())) && std::isnan(fem_end(run())));
  EXPECT_EQ(fem_event_count(run()), 0U);

  EXPECT_EQ(fem_load_text(run(), nullptr), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("a text is NULL"));
  ASSERT_EQ(fem_load_text(run(), kCase), FEM_OK) << message();
  EXPECT_EQ(fem_find_quantity(run(), "/time", nullptr), FEM_BAD_INPUT);
  EXPECT_EQ(fem_find_point(run(), "A", nullptr), FEM_BAD_INPUT);
  EXPECT_EQ(fem_get_law(run(), "shake", nullptr), FEM_BAD_INPUT);
  EXPECT_THAT(message(), HasSubstr("the place of an answer is NULL"));

  EXPECT_EQ(fem_load_text(nullptr, kCase), FEM_DEFECT);
  EXPECT_EQ(fem_step(nullptr), FEM_DEFECT);
  EXPECT_TRUE(std::isnan(fem_time(nullptr)) && std::isnan(fem_end(nullptr)));
  EXPECT_EQ(fem_event_count(nullptr), 0U);
  EXPECT_STREQ(fem_message(nullptr), "the handle is NULL");
  fem_delete(nullptr);
}

}  // namespace
}  // namespace fem
