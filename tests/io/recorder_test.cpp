// The reader's side is h5py: what users read with. Every recorded number says where it belongs,
// tag·10⁶ + row·10³ + index, so that one script checks any file completely and exactly.
#include "libfem/io/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/io/output_file.hpp"

namespace fem {
namespace {

namespace fs = std::filesystem;

const ResultLayout kLayout{.points = {"O", "точка Б", "left arm/1", "C"},
                           .rods = {{"left arm", {0, 2, 1}}, {"Стержень 2", {1, 3}}},
                           .hinges = {"шарнир 1"},
                           .supports = {"O", "C верх"},
                           .constraints = {"связь"},
                           .bodies = {{"hub"}}};

std::vector<double> numbers(int tag, int row, int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), tag * 1e6 + row * 1e3);
  return values;
}

double number(int tag, int row, int k = 0) { return tag * 1e6 + row * 1e3 + k; }

RodSnapshot make_rod(int tag, int row, int elements) {
  return {.angle = numbers(tag, row, 2 * elements),
          .axial_force = numbers(tag + 1, row, elements),
          .shear_force = numbers(tag + 2, row, elements),
          .bending_moment = numbers(tag + 3, row, 2 * elements),
          .axial_strain = numbers(tag + 4, row, elements)};
}

Snapshot make_snapshot(int row) {
  Snapshot s;
  s.time = number(0, row);
  s.position = numbers(1, row, 12);
  s.velocity = numbers(2, row, 12);
  s.acceleration = numbers(3, row, 12);
  s.rods = {make_rod(10, row, 2), make_rod(15, row, 1)};
  s.hinges = {
      {number(20, row), number(21, row), number(22, row), number(23, row), number(24, row)}};
  s.supports = {{number(30, row), number(30, row, 1), number(36, row), number(31, row)},
                {number(32, row), number(32, row, 1), number(37, row), number(33, row)}};
  s.constraints = {{number(34, row), number(35, row)}};
  s.bodies = {{number(60, row), number(61, row), number(62, row), number(62, row, 1)}};
  s.rheonomic = {number(70, row), number(71, row), number(72, row),
                 number(73, row), number(74, row), number(75, row)};
  s.momentum = {number(65, row),    number(65, row, 1), number(68, row), number(66, row),
                number(66, row, 1), number(69, row),    number(67, row)};
  s.energy = {number(40, row), number(41, row), number(42, row), number(43, row), number(44, row),
              number(45, row), number(46, row), number(47, row), number(48, row)};
  s.solver = {number(50, row), number(51, row), number(52, row)};
  s.position_violation = number(53, row);
  s.velocity_violation = number(54, row);
  return s;
}

RunSummary make_summary(RunStatus status) {
  RunSummary summary;
  summary.status = status;
  return summary;
}

constexpr const char* kReader = R"(
import sys, time, h5py, numpy as np
def tags(prefix, first, names):
    return {prefix + name: first + i for i, name in enumerate(names.split())}
rod = 'angle axial_force shear_force bending_moment axial_strain'
TAGS = {'/time': 0, '/solver/t': 0,
        **tags('/points/', 1, 'position velocity acceleration'),
        **tags('/rods/left arm/', 10, rod), **tags('/rods/Стержень 2/', 15, rod),
        **tags('/hinges/шарнир 1/', 20, 'angle rate moment drive_moment state'),
        **tags('/supports/O/', 30, 'force moment'), **tags('/supports/C верх/', 32, 'force moment'),
        '/supports/O/force_z': 36, '/supports/C верх/force_z': 37,
        **tags('/rheonomic/', 70, 'relative_kinetic relative_potential hamiltonian '
                                  'rheonomic_potential frame_work extended_energy'),
        **tags('/constraints/связь/', 34, 'multiplier violation'),
        **tags('/bodies/hub/', 60, 'angle rate center'),
        **tags('/momentum/', 65, 'center linear angular center_z linear_z'),
        **tags('/energy/', 40, 'kinetic strain springs hereditary gravity external_work '
                               'rheonomic_work dissipated balance'),
        **tags('/solver/', 50,
               'step iterations local_error position_violation velocity_violation')}
def check(f):
    n = len(f['time'])
    for path, tag in TAGS.items():
        if f[path].id.get_space().get_simple_extent_dims()[0] < n: f[path].refresh()
        d = f[path][:n]
        width = int(np.prod(d.shape[1:]))
        expected = tag * 1e6 + 1e3 * np.arange(n)[:, None] + np.arange(width)
        assert np.array_equal(d.reshape(n, width), expected), (path, d, expected)
    return n
def open_any(path):
    try: return h5py.File(path, 'r')
    except OSError: return h5py.File(path, 'r', swmr=True)
def texts(d): return [x.decode() for x in d[()]]
path = sys.argv[1]
)";

// Starts h5py's side with the script and its arguments.
pid_t start_reader(const std::string& script, const std::vector<std::string>& arguments) {
  const std::string code = kReader + script;
  std::vector<std::string> words{"/usr/bin/python3", "-B", "-c", code};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers(words.size() + 1, nullptr);
  std::transform(words.begin(), words.end(), pointers.begin(),
                 [](std::string& word) { return word.data(); });
  const pid_t child = fork();
  if (child == 0) {
    setenv("PYTHONUTF8", "1", 1);
    alarm(300);  // one that waits for ever fails
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The script's exit code: 0 if every assertion holds.
int read(const std::string& script, const std::vector<std::string>& arguments) {
  return wait_for(start_reader(script, arguments));
}

class RecorderTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string file(const std::string& name = "out.h5") const {
    return (folder_ / name).string();
  }

  [[nodiscard]] RecorderOptions options(double flush_interval = 1e9,
                                        std::size_t buffered_rows = 256) const {
    return {.path = file(),
            .case_text = "{\"libfem\": 1}",
            .title = "Раскрытие & Ω",
            .version = "1.2.3",
            .flush_interval = flush_interval,
            .buffered_rows = buffered_rows};
  }

  fs::path folder_ = fs::temp_directory_path() / ("recorder_test_" + std::to_string(getpid()));
};

void append_rows(Recorder& recorder, int first, int count) {
  for (int row = first; row < first + count; ++row) recorder.append(make_snapshot(row));
}

// The message of the FileError that the action ends with; HDF5 must have printed nothing.
template <class Action>
std::string file_error(Action action) {
  testing::internal::CaptureStderr();
  std::string message;
  try {
    action();
  } catch (const FileError& error) {
    message = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return message;
}

TEST_F(RecorderTest, ReadsBackExactly) {
  Recorder recorder(options(), kLayout);
  append_rows(recorder, 0, 700);  // more than a chunk of 512 rows
  recorder.flush();
  append_rows(recorder, 700, 5);
  recorder.flush();
  recorder.flush();
  append_rows(recorder, 705, 1);
  recorder.finish(make_summary(RunStatus::complete));
  EXPECT_EQ(read("f = h5py.File(path, 'r'); assert check(f) == 706", {file()}), 0);
}

TEST_F(RecorderTest, NamesAndDescriptions) {
  { const Recorder recorder(options(), kLayout); }
  EXPECT_EQ(read(R"(
f = h5py.File(path, 'r')
assert dict(f.attrs) == {
    'libfem_results': 1, 'version': '1.2.3', 'status': 'running', 'title': 'Раскрытие & Ω',
    'case_sha256': '01b609922b570579c272b4d5df49f4d9a34222481bcd5d0f5091abe26674b422',
    'analysis': 'dynamics', 'units': 'SI, radians, counter-clockwise positive'}, dict(f.attrs)
assert f['case'][()].decode() == '{"libfem": 1}'
assert texts(f['points/names']) == ['O', 'точка Б', 'left arm/1', 'C']
assert list(f['rods']) == ['left arm', 'Стержень 2']
assert list(f['hinges']) == ['шарнир 1'] and list(f['supports']) == ['O', 'C верх']
assert list(f['constraints']) == ['связь']
assert list(f['rods/left arm/nodes']) == [0, 2, 1] and list(f['rods/Стержень 2/nodes']) == [1, 3]
paths = []
f.visititems(lambda name, x: paths.append('/' + name) if isinstance(x, h5py.Dataset) else None)
assert all(f[p].attrs['unit'] and f[p].attrs['meaning'] for p in paths)
assert all(f[p].shape[0] == 0 and f[p].maxshape[0] is None for p in TAGS)
fixed = {'/case', '/points/names', '/rods/left arm/nodes', '/rods/Стержень 2/nodes'}
events = {'/events/time', '/events/name', '/events/what'}
assert set(paths) == set(TAGS) | fixed | events, set(paths) ^ (set(TAGS) | fixed | events)
)",
                 {file()}),
            0);
}

TEST_F(RecorderTest, KeepsEveryBit) {
  const std::vector<double> awkward{-0.0,
                                    0.1,
                                    std::numeric_limits<double>::denorm_min(),
                                    std::numeric_limits<double>::max(),
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
  Snapshot snapshot = make_snapshot(0);
  std::copy(awkward.begin(), awkward.end(), snapshot.position.begin());
  {
    Recorder recorder(options(), kLayout);
    recorder.append(snapshot);
  }
  EXPECT_EQ(read(R"(
expected = np.array([-0.0, 0.1, 5e-324, 1.7976931348623157e308, np.inf, np.nan])
found = h5py.File(path, 'r')['points/position'][0].reshape(-1)[:6]
assert found.tobytes() == expected.tobytes(), found
)",
                 {file()}),
            0);
}

TEST_F(RecorderTest, EndsWithStatusAndSummary) {
  RunSummary summary;
  summary.reason = "не сошлось at rod «2»";
  summary.warnings = {"first", "второе"};
  summary.final_time = 1.5;
  summary.steps = 5000000000;
  summary.rejected_steps = 2;
  summary.evaluations = 3;
  summary.largest_energy = 4.5;
  summary.worst_balance = 5.5;
  summary.ledger_tolerance = 0.25;
  summary.worst_position_violation = 6.5;
  summary.worst_velocity_violation = 7.5;
  summary.kernel_error = 9.5;
  summary.wall_time = 8.5;
  const std::vector<std::pair<RunStatus, std::string>> ends{
      {RunStatus::complete, "complete"},
      {RunStatus::failed, "failed"},
      {RunStatus::interrupted, "interrupted"}};
  for (const auto& [status, name] : ends) {
    summary.status = status;
    Recorder recorder(options(), kLayout);
    recorder.append(make_snapshot(0));
    recorder.finish(summary);
    EXPECT_EQ(read(R"(
f = h5py.File(path, 'r')
assert f.attrs['status'] == sys.argv[2] and check(f) == 1
a = dict(f['summary'].attrs)
assert list(a.pop('warnings')) == ['first', 'второе']
assert a == {'status': sys.argv[2], 'reason': 'не сошлось at rod «2»', 'final_time': 1.5,
             'steps': 5000000000, 'rejected_steps': 2, 'evaluations': 3, 'largest_energy': 4.5,
             'worst_balance': 5.5, 'ledger_tolerance': 0.25, 'worst_position_violation': 6.5,
             'worst_velocity_violation': 7.5, 'kernel_error': 9.5, 'wall_time': 8.5}, a
)",
                   {file(), name}),
              0);
  }
}

TEST_F(RecorderTest, SummaryMayBeEmpty) {
  RecorderOptions empty = options();
  empty.case_text.clear();
  empty.title.clear();
  Recorder recorder(empty, kLayout);
  recorder.finish(make_summary(RunStatus::complete));
  EXPECT_EQ(read(R"(
f = h5py.File(path, 'r')
assert check(f) == 0 and f.attrs['title'] == '' and f['case'][()] == b''
assert len(f['summary'].attrs['warnings']) == 0 and f['summary'].attrs['reason'] == ''
)",
                 {file()}),
            0);
}

TEST_F(RecorderTest, Events) {
  Recorder recorder(options(), kLayout);
  recorder.event({.time = 1.5, .name = "шарнир 1", .what = "velocity jump, impulse 2 N s"});
  recorder.flush();
  std::string long_text = "x";  // 1 + 2·100 bytes: 192 falls into a letter, 64 as well
  for (int i = 0; i < 100; ++i) long_text += "ж";
  recorder.event({.time = 2.5, .name = long_text, .what = long_text});
  recorder.event({.time = 3.5, .name = std::string(64, 'n'), .what = std::string(192, 'w')});
  recorder.finish(make_summary(RunStatus::complete));
  EXPECT_EQ(read(R"(
e = h5py.File(path, 'r')['events']
assert list(e['time']) == [1.5, 2.5, 3.5]
assert texts(e['name']) == ['шарнир 1', 'x' + 31 * 'ж', 64 * 'n']
assert texts(e['what']) == ['velocity jump, impulse 2 N s', 'x' + 95 * 'ж', 192 * 'w']
)",
                 {file()}),
            0);
}

TEST_F(RecorderTest, WritesWhenRowsAreFull) {
  Recorder recorder(options(1e9, 4), kLayout);
  const std::string rows = "assert check(h5py.File(path, 'r')) == int(sys.argv[2])";
  append_rows(recorder, 0, 1);
  EXPECT_EQ(read(rows, {file(), "1"}), 0);  // the first at once
  append_rows(recorder, 1, 3);
  EXPECT_EQ(read(rows, {file(), "1"}), 0);
  append_rows(recorder, 4, 1);
  EXPECT_EQ(read(rows, {file(), "5"}), 0);
}

TEST_F(RecorderTest, WritesWhenTimeIsUp) {
  Recorder recorder(options(0.02), kLayout);
  recorder.append(make_snapshot(0));
  const auto first_burst = fs::last_write_time(file());
  int row = 1;
  for (; row < 200 && fs::last_write_time(file()) == first_burst; ++row) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    recorder.append(make_snapshot(row));
  }
  EXPECT_LT(row, 200);
  EXPECT_EQ(
      read("assert check(h5py.File(path, 'r')) == int(sys.argv[2])", {file(), std::to_string(row)}),
      0);
}

TEST(BurstInterval, IsLongWhereBurstsTakeLong) {
  EXPECT_DOUBLE_EQ(burst_interval(1, 0.001), 1);
  EXPECT_DOUBLE_EQ(burst_interval(1, 0.3), 10);
  EXPECT_DOUBLE_EQ(burst_interval(0, 0.3), 0);
}

TEST_F(RecorderTest, DestructorWritesWhatWaits) {
  {
    Recorder recorder(options(), kLayout);
    append_rows(recorder, 0, 3);
  }
  EXPECT_EQ(read(R"(
f = h5py.File(path, 'r')
assert check(f) == 3 and f.attrs['status'] == 'running' and 'summary' not in f
)",
                 {file()}),
            0);
}

TEST_F(RecorderTest, RowsOfManyPointsAreSplit) {
  ResultLayout layout;
  for (int i = 0; i < 50000; ++i) layout.points.push_back(std::to_string(i));
  Snapshot snapshot;
  snapshot.position = snapshot.velocity = snapshot.acceleration = numbers(1, 0, 150000);
  {
    Recorder recorder(options(), layout);
    recorder.append(snapshot);
    recorder.append(snapshot);
  }
  EXPECT_EQ(read(R"(
d = h5py.File(path, 'r')['points/velocity']
assert d.chunks[0] == 1 and 2**19 < 8 * np.prod(d.chunks) <= 2**20, d.chunks
assert all(np.array_equal(row.reshape(-1), 1e6 + np.arange(150000)) for row in d)
)",
                 {file()}),
            0);
}

TEST_F(RecorderTest, OpensBothWaysBetweenBursts) {
  Recorder recorder(options(), kLayout);
  const std::string script = R"(
n = int(sys.argv[2])
with h5py.File(path, 'r') as f: assert check(f) == n
with h5py.File(path, 'r', swmr=True) as f: assert check(f) == n
)";
  EXPECT_EQ(read(script, {file(), "0"}), 0);
  append_rows(recorder, 0, 7);
  recorder.flush();
  EXPECT_EQ(read(script, {file(), "7"}), 0);
  append_rows(recorder, 7, 1);
  recorder.flush();
  EXPECT_EQ(read(script, {file(), "8"}), 0);
}

// Keeps the file open and refreshes it.
constexpr const char* kFollow = R"(
end = time.time() + 120
n = 0
f = h5py.File(path, 'r', swmr=True)
while n < 600 and time.time() < end:
    f['time'].refresh()
    for p in TAGS:
        if p != '/time': f[p].refresh()
    n = check(f)
assert n == 600, n
)";

// Opens the file again and again.
constexpr const char* kLookAgain = R"(
end = time.time() + 120
n = 0
while n < 600 and time.time() < end:
    with open_any(path) as f: n = check(f)
assert n == 600, n
)";

// Readers see complete and right rows only, and do not disturb the writer.
TEST_F(RecorderTest, IsReadWhileItGrows) {
  Recorder recorder(options(0), kLayout);
  const pid_t follower = start_reader(kFollow, {file()});
  const pid_t looker = start_reader(kLookAgain, {file()});
  for (int row = 0; row < 600; ++row) {
    recorder.append(make_snapshot(row));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(wait_for(follower), 0);
  EXPECT_EQ(wait_for(looker), 0);
}

// What so many rows take.
std::chrono::microseconds time_of_rows(const RecorderOptions& options, int count) {
  Recorder recorder(options, kLayout);
  const auto begin = std::chrono::steady_clock::now();
  append_rows(recorder, 0, count);
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               begin);
}

// The file is a run of `row_count` rows that did not end; opened in the first way that works.
constexpr const char* kCheckSurvivors = R"(
rows = []
for p in sys.argv[1:]:
    with open_any(p) as f:
        assert f.attrs['status'] == 'running'
        rows.append(check(f))
assert max(rows) > 0, rows
)";

TEST_F(RecorderTest, SurvivesKills) {
  // Under a sanitizer no row would be complete so soon: a tenth of a second each.
  const auto longest = std::max(std::chrono::microseconds(60000), time_of_rows(options(0), 10));
  std::mt19937 random(20160);
  std::uniform_int_distribution<std::int64_t> microseconds(0, longest.count());
  std::vector<std::string> files;
  for (int i = 0; i < 20; ++i) {
    files.push_back(file("killed " + std::to_string(i) + ".h5"));
    int created[2];
    ASSERT_EQ(pipe(created), 0);
    const pid_t child = fork();
    if (child == 0) {
      RecorderOptions fast = options(0);
      fast.path = files.back();
      Recorder recorder(fast, kLayout);
      if (write(created[1], "x", 1) != 1) _exit(1);
      for (int row = 0;; ++row) recorder.append(make_snapshot(row));
    }
    close(created[1]);
    char byte = 0;
    ASSERT_EQ(::read(created[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child), 128 + SIGKILL);
    close(created[0]);
  }
  EXPECT_EQ(read(kCheckSurvivors, files), 0);
}

// A kill may write a header in half where it crosses pages: its table would be lost, and readers
// that wait for the other half would wait for ever.
TEST_F(RecorderTest, HeadersLieWithinPages) {
  Recorder recorder(options(0), kLayout);
  append_rows(recorder, 0, 600);
  EXPECT_EQ(read(R"(
content = open(path, 'rb').read()
found, at = 0, content.find(b'OHDR')
while at >= 0:
    flags = content[at + 5]
    begin = at + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    end = begin + width + int.from_bytes(content[begin:begin + width], 'little') + 4
    assert at // 4096 == (end - 1) // 4096, (at, end)
    found, at = found + 1, content.find(b'OHDR', at + 1)
assert found > len(TAGS), found
)",
                 {file()}),
            0);
}

// Records until that fails; whether it fails with a FileError that says why.
bool fails_when_full(const RecorderOptions& options, const std::string& why) {
  try {
    Recorder recorder(options, kLayout);
    append_rows(recorder, 0, 100000);
  } catch (const FileError& error) {
    return error.what() == options.path.string() + ": cannot grow: " + why;
  }
  return false;
}

// All in a process of its own: its limits and its mounts end with it.
template <class Action>
int in_child(Action action) {
  const pid_t child = fork();
  if (child == 0) std::exit(action());
  return wait_for(child);
}

constexpr const char* kCheckFull = "assert 0 < check(h5py.File(path, 'r')) < 100000";

TEST_F(RecorderTest, KeepsWhatIsWrittenWhenTheLimitIsReached) {
  const int result = in_child([&] {
    const rlimit limit{1000000, 1000000};
    setrlimit(RLIMIT_FSIZE, &limit);
    return fails_when_full(options(), "File too large") ? 0 : 1;
  });
  EXPECT_EQ(result, 0);
  EXPECT_EQ(read(kCheckFull, {file()}), 0);
}

// Mounts a disk of 1 MB on the folder, for this process and its children; false if it may not.
bool mount_small_disk(const fs::path& folder) {
  const std::string user = std::to_string(getuid());
  const std::string group = std::to_string(getgid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << user << " " << user << " 1";
    std::ofstream("/proc/self/gid_map") << group << " " << group << " 1";
  } else if (unshare(CLONE_NEWNS) != 0 ||  // where a sanitizer has a thread of its own: root may
             mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return false;
  }
  return mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1000k") == 0;
}

TEST_F(RecorderTest, KeepsWhatIsWrittenWhenTheDiskIsFull) {
  constexpr int kMayNotMount = 3;
  const int result = in_child([&] {
    if (!mount_small_disk(folder_)) return kMayNotMount;
    if (!fails_when_full(options(), "No space left on device")) return 1;
    return read(kCheckFull, {file()});
  });
  if (result == kMayNotMount) GTEST_SKIP() << "no right to mount a small disk";
  EXPECT_EQ(result, 0);
}

// The free space in blocks does not tell of one that is needed for a last byte.
TEST_F(RecorderTest, DiskThatIsShortOfOneBlock) {
  constexpr int kMayNotMount = 3;
  const int result = in_child([&] {
    if (!mount_small_disk(folder_)) return kMayNotMount;
    const OutputFile output(file());
    struct statvfs space = {};
    statvfs(file().c_str(), &space);
    const auto free = static_cast<std::size_t>(space.f_bavail * space.f_frsize);
    const std::string message = file_error([&] { output.reserve(free + 1); });
    return message == file() + ": cannot grow: No space left on device" ? 0 : 1;
  });
  if (result == kMayNotMount) GTEST_SKIP() << "no right to mount a small disk";
  EXPECT_EQ(result, 0);
}

TEST_F(RecorderTest, FileThatCannotBeMade) {
  RecorderOptions nowhere = options();
  nowhere.path = file("missing folder/out.h5");
  EXPECT_EQ(file_error([&] { const Recorder recorder(nowhere, kLayout); }),
            file("missing folder/out.h5") + ": cannot open for writing: No such file or directory");
  RecorderOptions folder = options();
  folder.path = folder_;
  EXPECT_EQ(file_error([&] { const Recorder recorder(folder, kLayout); }),
            folder_.string() + ": cannot open for writing: Is a directory");
}

TEST_F(RecorderTest, FileThatMayNotBeWritten) {
  std::ofstream(file()) << "precious";
  fs::permissions(file(), fs::perms::owner_read);
  const int result = in_child([&]() -> int {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && seteuid(kNobody) != 0) return 2;  // root may write everything
    const std::string message = file_error([&] { const Recorder recorder(options(), kLayout); });
    // Not through exit: the leak checker cannot run in a process that has changed its user.
    _exit(message == file() + ": cannot open for writing: Permission denied" ? 0 : 1);
  });
  EXPECT_EQ(result, 0);
  EXPECT_EQ(fs::file_size(file()), 8U);
}

TEST_F(RecorderTest, ReplacesAnOldFile) {
  std::ofstream(file()) << std::string(1000000, 'x');
  Recorder recorder(options(), kLayout);
  recorder.finish(make_summary(RunStatus::complete));
  EXPECT_LT(fs::file_size(file()), 100000U);
  EXPECT_EQ(read("assert check(h5py.File(path, 'r')) == 0", {file()}), 0);
}

TEST_F(RecorderTest, FileThatIsRemoved) {
  Recorder recorder(options(), kLayout);
  append_rows(recorder, 0, 3);
  fs::remove(file());
  EXPECT_EQ(file_error([&] { recorder.flush(); }),
            file() + ": cannot open for writing: No such file or directory");
}

TEST_F(RecorderTest, FileThatIsNoMoreHdf5) {
  Recorder recorder(options(), kLayout);
  append_rows(recorder, 0, 3);
  std::ofstream(file()) << "text";
  EXPECT_EQ(file_error([&] { recorder.flush(); }).find(file() + ": cannot open for writing: "), 0U);
}

TEST_F(RecorderTest, FileThatAnotherRunWrites) {
  Recorder first(options(), kLayout);
  append_rows(first, 0, 3);
  EXPECT_EQ(file_error([&] { const Recorder second(options(), kLayout); }),
            file() + ": another run is writing it");
  first.finish(make_summary(RunStatus::complete));
  EXPECT_EQ(read("assert check(h5py.File(path, 'r')) == 3", {file()}), 0);
}

TEST_F(RecorderTest, FileThatAnotherRunReplaced) {
  Recorder first(options(), kLayout);
  append_rows(first, 0, 3);
  fs::remove(file());
  Recorder second(options(), kLayout);
  append_rows(second, 0, 2);
  EXPECT_EQ(file_error([&] { first.flush(); }), file() + ": another file is in its place");
  second.finish(make_summary(RunStatus::complete));
  EXPECT_EQ(read("assert check(h5py.File(path, 'r')) == 2", {file()}), 0);
}

TEST_F(RecorderTest, FileThatWasWrittenOver) {
  Recorder recorder(options(), kLayout);
  append_rows(recorder, 0, 1);
  fs::copy_file(file(), file("one row.h5"));
  append_rows(recorder, 1, 1);
  recorder.flush();
  append_rows(recorder, 2, 1);
  fs::copy_file(file("one row.h5"), file(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(file_error([&] { recorder.flush(); }),
            file() + ": has 1 rows where 2 were written; another program changed it");
}

// What could not be written keeps waiting, until the cause is gone.
TEST_F(RecorderTest, WritesAgainAfterAFailure) {
  Recorder recorder(options(), kLayout);
  append_rows(recorder, 0, 3);
  fs::rename(file(), file("away.h5"));
  EXPECT_NE(file_error([&] { recorder.flush(); }), "");
  fs::rename(file("away.h5"), file());
  append_rows(recorder, 3, 1);
  recorder.finish(make_summary(RunStatus::complete));
  EXPECT_EQ(read("assert check(h5py.File(path, 'r')) == 4", {file()}), 0);
}

TEST_F(RecorderTest, SnapshotOfAnotherModel) {
  Recorder recorder(options(), kLayout);
  Snapshot snapshot = make_snapshot(0);
  snapshot.hinges.clear();
  EXPECT_THROW(recorder.append(snapshot), std::logic_error);
}

TEST_F(RecorderTest, NothingAfterTheEnd) {
  Recorder recorder(options(), kLayout);
  EXPECT_THROW(recorder.finish(make_summary(RunStatus::running)), std::logic_error);
  recorder.finish(make_summary(RunStatus::complete));
  EXPECT_THROW(recorder.append(make_snapshot(0)), std::logic_error);
}

TEST_F(RecorderTest, RecordersInTwoThreads) {
  std::vector<std::string> files{file("1.h5"), file("2.h5")};
  const auto record = [&](const std::string& path) {
    RecorderOptions fast = options(0);
    fast.path = path;
    Recorder recorder(fast, kLayout);
    append_rows(recorder, 0, 100);
  };
  {
    const std::jthread first(record, files[0]);
    record(files[1]);
  }
  EXPECT_EQ(read("for p in sys.argv[1:]: assert check(h5py.File(p, 'r')) == 100", files), 0);
}

}  // namespace
}  // namespace fem
