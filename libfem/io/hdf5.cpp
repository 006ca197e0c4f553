#include "libfem/io/hdf5.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <hdf5.h>
#include <numeric>
#include <type_traits>
#include <utility>

#include "libfem/base/error.hpp"
#include "libfem/base/memory.hpp"
#include "libfem/io/hdf5_index.hpp"

namespace fem::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

constexpr std::size_t kChunkBytes = 64 * 1024;           // of a chunk with several rows
constexpr std::size_t kChunkRows = 512;                  // a column of reals: one disk block
constexpr std::size_t kLargestChunkBytes = 1024 * 1024;  // rows above are split
constexpr std::size_t kAlignment = 512;                  // of everything in a file
constexpr std::size_t kIndexBytes = 6144;  // by which a table's index of chunks grows, at most

// Switches off HDF5's printing of errors in this thread.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// Around a call that takes memory: HDF5 may crash where it gets none (1.10.8).
class Call : Quiet {
 public:
  Call() { demand_available(kMost); }

 private:
  static constexpr std::size_t kMost = 8 * 1024 * 1024;  // of a call, with a row of 1 MB
};

// The operating system's words where the description has them.
std::string shorten(const std::string& description) {
  constexpr std::string_view kMark = "error message = '";
  const std::size_t mark = description.find(kMark);
  if (mark == std::string::npos) return description;
  const std::size_t begin = mark + kMark.size();
  return description.substr(begin, description.find('\'', begin) - begin);
}

// Why the last call failed: the first entry of the error stack, written where it happened. Every
// call clears the stack, the end of a temporary property list included.
std::string last_reason() {
  std::string reason = "unknown reason";
  const auto take_first = [](unsigned depth, const H5E_error2_t* entry, void* out) -> herr_t {
    if (depth == 0) *static_cast<std::string*>(out) = shorten(entry->desc);
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  if (reason.find("metadata checksum") != std::string::npos) {
    reason += " (damaged, or its writer was killed: a run that is resumed mends that)";
  }
  return reason;
}

// A name that HDF5 gives: first asked for its length, then for its text.
template <class GetName>
std::string get_name(std::int64_t object, GetName get) {
  const ssize_t length = get(object, nullptr, 0);
  std::string name(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) get(object, name.data(), name.size() + 1);
  return name;
}

[[noreturn]] void fail(const std::string& file, const std::string& action) {
  throw FileError(file + ": cannot " + action + ": " + last_reason());
}

// Passes a result on; a negative one means that `action` on `object` failed.
template <class Result>
Result check(Result result, std::int64_t object, const char* action) {
  if (result >= 0) return result;
  const std::string reason = last_reason();  // before the calls below clear it
  throw FileError(get_name(object, H5Fget_name) + ": cannot " + action + " " +
                  get_name(object, H5Iget_name) + ": " + reason);
}

// The same for something made in or below `parent`.
template <class Result>
Result check(Result result, std::int64_t parent, const char* action, const std::string& path) {
  if (result >= 0) return result;
  const std::string reason = last_reason();
  throw FileError(get_name(parent, H5Fget_name) + ": cannot " + action + " " + path + ": " +
                  reason);
}

// How files are opened: the format that readers can follow while it grows, no locks (a reader
// must not stop the run), no chunk cache (rows go straight into their place), and a close that
// closes everything. A kill ends a write between two pages of the operating system: headers are
// aligned so that none lies across two. One that had been written in half would take its table with
// it. (HDF5's own pages would do that too, but put the time of creation into the file: equal runs
// are to give equal files.) What is larger, indices of more than 100 chunks, can be mended.
Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_file_locking(access.id(), false, true);
  H5Pset_cache(access.id(), 0, 0, 0, 0);
  H5Pset_alignment(access.id(), 1, kAlignment);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  return access;
}

Handle link_creation() {
  Handle creation(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_char_encoding(creation.id(), H5T_CSET_UTF8);
  return creation;
}

Handle attribute_creation() {
  Handle creation(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
  H5Pset_char_encoding(creation.id(), H5T_CSET_UTF8);
  return creation;
}

// No times in the headers, that of the root group neither: they would differ between equal runs.
Handle file_creation() {
  Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return creation;
}

Handle dataset_creation() {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  return creation;
}

Handle group_creation() {
  Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return creation;
}

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), bytes);
  H5Tset_strpad(type.id(), bytes == H5T_VARIABLE ? H5T_STR_NULLTERM : H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Handle copy_type(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

Handle make_type(Element element) {
  return element.text_bytes == 0 ? copy_type(H5T_NATIVE_DOUBLE) : text_type(element.text_bytes);
}

// A scalar if there are no dimensions.
Handle make_space(std::span<const hsize_t> dims) {
  if (dims.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose};
}

Handle make_growing_space(std::span<const std::size_t> row) {
  std::vector<hsize_t> dims{0};
  dims.insert(dims.end(), row.begin(), row.end());
  std::vector<hsize_t> limits = dims;
  limits[0] = H5S_UNLIMITED;
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), limits.data()), H5Sclose};
}

template <class Range>
std::size_t product(const Range& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>{});
}

// Whole rows; a row that is too large is split along its first dimension.
std::vector<hsize_t> chunk_shape(std::span<const std::size_t> row, std::size_t element_bytes) {
  const std::size_t row_bytes = element_bytes * product(row);
  std::vector<hsize_t> chunk{std::clamp<hsize_t>(kChunkBytes / row_bytes, 1, kChunkRows)};
  chunk.insert(chunk.end(), row.begin(), row.end());
  if (row_bytes > kLargestChunkBytes) {
    chunk[1] = std::max<hsize_t>(1, row[0] * kLargestChunkBytes / row_bytes);
  }
  return chunk;
}

// Chunks that hold so many numbers along a dimension.
hsize_t chunks_along(hsize_t count, hsize_t chunk) { return (count + chunk - 1) / chunk; }

std::vector<hsize_t> extent(const Handle& table) {
  const Handle space(check(H5Dget_space(table.id()), table.id(), "read the size of"), H5Sclose);
  std::vector<hsize_t> dims(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
  H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr);
  return dims;
}

std::size_t element_bytes(const Handle& table) {
  const Handle type(H5Dget_type(table.id()), H5Tclose);
  return H5Tget_size(type.id());
}

void write_selected(const Handle& table, hsize_t first, std::span<const hsize_t> shape,
                    const void* data) {
  std::vector<hsize_t> start(shape.size(), 0);
  start[0] = first;
  const Handle in_file(check(H5Dget_space(table.id()), table.id(), "read the size of"), H5Sclose);
  H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr);
  const Handle in_memory = make_space(shape);
  const Handle type(H5Dget_type(table.id()), H5Tclose);
  check(H5Dwrite(table.id(), type.id(), in_memory.id(), in_file.id(), H5P_DEFAULT, data),
        table.id(), "write");
}

void write_bytes(const Handle& table, std::size_t first, const void* data, std::size_t bytes) {
  const Call call;
  std::vector<hsize_t> shape = extent(table);
  const std::size_t row_bytes = element_bytes(table) * product(std::span(shape).subspan(1));
  FEM_DEMAND(bytes % row_bytes == 0);
  shape[0] = first + bytes / row_bytes;
  check(H5Dset_extent(table.id(), shape.data()), table.id(), "extend");
  try {
    shape[0] -= first;
    write_selected(table, first, shape, data);
  } catch (const FileError&) {
    shape[0] = first;
    H5Dset_extent(table.id(), shape.data());
    throw;
  }
}

Handle create_fixed(const Handle& file, const std::string& path, const Handle& type,
                    std::span<const hsize_t> dims, const void* data) {
  const Call call;
  const Handle space = make_space(dims);
  Handle array(check(H5Dcreate2(file.id(), path.c_str(), type.id(), space.id(),
                                link_creation().id(), dataset_creation().id(), H5P_DEFAULT),
                     file.id(), "create", path),
               H5Dclose);
  check(H5Dwrite(array.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), array.id(), "write");
  return array;
}

void set_any_attribute(const Handle& object, const std::string& name, const Handle& type,
                       std::span<const hsize_t> dims, const void* data) {
  const Call call;
  if (H5Aexists(object.id(), name.c_str()) > 0) H5Adelete(object.id(), name.c_str());
  const Handle space = make_space(dims);
  const Handle attribute(check(H5Acreate2(object.id(), name.c_str(), type.id(), space.id(),
                                          attribute_creation().id(), H5P_DEFAULT),
                               object.id(), "set an attribute of"),
                         H5Aclose);
  if (product(dims) == 0) return;
  check(H5Awrite(attribute.id(), type.id(), data), object.id(), "set an attribute of");
}

}  // namespace

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}

Handle::~Handle() {
  if (id_ < 0) return;
  const Quiet quiet;
  closer_(id_);
}

void Handle::close() {
  const Quiet quiet;
  const std::string file = get_name(id_, H5Fget_name);
  if (closer_(std::exchange(id_, H5I_INVALID_HID)) < 0) fail(file, "close");
}

void forgo_exit_handler() { H5dont_atexit(); }

Handle create_file(const std::filesystem::path& path) {
  const Call call;
  const Handle creation = file_creation();
  const Handle how = file_access();
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), how.id());
  if (id < 0) fail(path.string(), "create");
  return {id, H5Fclose};
}

Handle open_file(const std::filesystem::path& path, Access access) {
  const Call call;
  const unsigned flags = access == Access::append ? H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE
                         : access == Access::edit ? H5F_ACC_RDWR
                                                  : H5F_ACC_RDONLY | H5F_ACC_SWMR_READ;
  const Handle how = file_access();
  // HDF5 doubles the pause before it looks again for what a writer has not finished: 25 pauses are
  // 30 ms; the 99 of its default would never end where the writer was killed.
  if (access == Access::read) H5Pset_metadata_read_attempts(how.id(), 26);
  const hid_t id = H5Fopen(path.c_str(), flags, how.id());
  if (id < 0) fail(path.string(), access == Access::read ? "open" : "open for writing");
  return {id, H5Fclose};
}

bool is_hdf5(const std::filesystem::path& path) {
  const Call call;
  return H5Fis_hdf5(path.c_str()) > 0;
}

namespace {

// Visits all objects below a group; `take` gets each, and may not throw: HDF5 calls it.
template <class Take>
void visit(const Handle& group, Take take) {
  const auto call = [](hid_t, const char*, const H5O_info_t* object, void* taker) -> herr_t {
    (*static_cast<Take*>(taker))(*object);
    return 0;
  };
  check(H5Ovisit2(group.id(), H5_INDEX_NAME, H5_ITER_NATIVE, call, &take, H5O_INFO_BASIC),
        group.id(), "list the objects of");
}

// Addresses of the headers of all datasets.
std::vector<std::uint64_t> find_datasets(const Handle& file) {
  std::size_t count = 0;
  visit(file, [&count](const H5O_info_t&) noexcept { ++count; });
  std::vector<std::uint64_t> addresses;
  addresses.reserve(count);
  visit(file, [&addresses](const H5O_info_t& object) noexcept {
    if (object.type == H5O_TYPE_DATASET) addresses.push_back(object.addr);
  });
  return addresses;
}

}  // namespace

void clear_writer_mark(const std::filesystem::path& path) {
  const Call call;
  const Handle how = file_access();
  const hid_t whole = H5Fopen(path.c_str(), H5F_ACC_RDWR, how.id());
  if (whole >= 0) return Handle(whole, H5Fclose).close();  // no mark: the writer was not killed
  const hbool_t yes = true;
  // Where it does not know them, the file cannot be opened.
  for (const char* property : {"clear_status_flags", "skip_eof_check"}) {
    H5Pset(how.id(), property, &yes);
  }
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, how.id());
  if (id < 0) fail(path.string(), "open for writing");
  Handle file(id, H5Fclose);
  mend_indices(path, find_datasets(file), kAlignment);  // before the mark is gone: it may fail
  // The end that the header knows is that of the last close: what a burst has put behind it would
  // be overwritten. Of the last chunk only the first rows may have been written.
  check(H5Fincrement_filesize(file.id(), kLargestChunkBytes), file.id(), "extend");
  file.close();
}

void flush(const Handle& file) {
  const Call call;
  check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), file.id(), "flush");
}

Handle create_group(const Handle& file, const std::string& path) {
  const Call call;
  return {check(H5Gcreate2(file.id(), path.c_str(), link_creation().id(), group_creation().id(),
                           H5P_DEFAULT),
                file.id(), "create", path),
          H5Gclose};
}

Handle create_table(const Handle& file, const std::string& path, Element element,
                    std::span<const std::size_t> row) {
  FEM_DEMAND(product(row) > 0);
  const Call call;
  const Handle type = make_type(element);
  const std::vector<hsize_t> chunk = chunk_shape(row, H5Tget_size(type.id()));
  const Handle space = make_growing_space(row);
  const Handle creation = dataset_creation();
  H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
  H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);
  return {check(H5Dcreate2(file.id(), path.c_str(), type.id(), space.id(), link_creation().id(),
                           creation.id(), H5P_DEFAULT),
                file.id(), "create", path),
          H5Dclose};
}

Handle open_table(const Handle& file, const std::string& path) {
  const Call call;
  return {check(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), file.id(), "open", path), H5Dclose};
}

std::size_t row_count(const Handle& table) {
  const Call call;
  return extent(table)[0];
}

bool has(const Handle& file, const std::string& path) {
  const Call call;
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file.id(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

std::vector<std::string> list_members(const Handle& file, const std::string& group) {
  const Call call;
  const Handle handle(
      check(H5Gopen2(file.id(), group.c_str(), H5P_DEFAULT), file.id(), "open", group), H5Gclose);
  H5G_info_t info;
  check(H5Gget_info(handle.id(), &info), file.id(), "read", group);
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    names.push_back(get_name(handle.id(), [&](hid_t id, char* name, std::size_t size) {
      return H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, size, H5P_DEFAULT);
    }));
  }
  return names;
}

std::vector<double> read_row(const Handle& table, std::size_t row) {
  const Call call;
  std::vector<hsize_t> shape = extent(table);
  FEM_DEMAND(!shape.empty() && row < shape[0]);
  shape[0] = 1;
  std::vector<hsize_t> start(shape.size(), 0);
  start[0] = row;
  std::vector<double> values(product(shape));
  const Handle in_file(check(H5Dget_space(table.id()), table.id(), "read the size of"), H5Sclose);
  H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr);
  const Handle in_memory = make_space(shape);
  check(H5Dread(table.id(), H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT,
                values.data()),
        table.id(), "read");
  return values;
}

std::vector<double> read_values(const Handle& dataset) {
  const Call call;
  std::vector<double> values(product(extent(dataset)));
  check(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        dataset.id(), "read");
  return values;
}

std::vector<std::string> read_texts(const Handle& dataset) {
  const Call call;
  const std::size_t width = element_bytes(dataset);
  const std::size_t count = product(extent(dataset));
  std::string flat(width * count, '\0');
  const Handle type = text_type(width);
  check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, flat.data()), dataset.id(),
        "read");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = flat.substr(i * width, width);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

std::optional<double> find_number(const Handle& object, const std::string& name) {
  const Call call;
  if (H5Aexists(object.id(), name.c_str()) <= 0) return {};
  const Handle attribute(
      check(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), object.id(), "read an attribute of"),
      H5Aclose);
  double value = 0;
  if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value) < 0) return {};
  return value;
}

std::optional<std::string> find_text(const Handle& object, const std::string& name) {
  const Call call;
  if (H5Aexists(object.id(), name.c_str()) <= 0) return {};
  const Handle attribute(
      check(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), object.id(), "read an attribute of"),
      H5Aclose);
  const Handle type = text_type(H5T_VARIABLE);
  char* text = nullptr;
  if (H5Aread(attribute.id(), type.id(), &text) < 0 || text == nullptr) return {};
  std::string result(text);
  H5free_memory(text);
  return result;
}

std::size_t calc_growth(Element element, std::span<const std::size_t> row, std::size_t first,
                        std::size_t count) {
  const std::size_t bytes = element.text_bytes == 0 ? sizeof(double) : element.text_bytes;
  const std::vector<hsize_t> chunk = chunk_shape(row, bytes);
  std::size_t chunks = chunks_along(first + count, chunk[0]) - chunks_along(first, chunk[0]);
  if (chunks == 0) return 0;
  for (std::size_t i = 0; i < row.size(); ++i) chunks *= chunks_along(row[i], chunk[i + 1]);
  const std::size_t units = (product(chunk) * bytes + kAlignment - 1) / kAlignment;
  return chunks * units * kAlignment + kIndexBytes;
}

void write_rows(const Handle& table, std::size_t first, std::span<const double> values) {
  write_bytes(table, first, values.data(), values.size_bytes());
}

void write_rows(const Handle& table, std::size_t first, std::string_view texts) {
  write_bytes(table, first, texts.data(), texts.size());
}

void truncate_rows(const Handle& table, std::size_t rows) {
  const Call call;
  const Handle space{check(H5Dget_space(table.id()), table.id(), "read"), H5Sclose};
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
  H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
  shape.front() = rows;
  check(H5Dset_extent(table.id(), shape.data()), table.id(), "cut");
}

void remove(const Handle& file, const std::string& path) {
  const Call call;
  check(H5Ldelete(file.id(), path.c_str(), H5P_DEFAULT), file.id(), "remove", path);
}

Handle create_array(const Handle& file, const std::string& path, std::span<const int> values) {
  const std::array<hsize_t, 1> dims{values.size()};
  return create_fixed(file, path, copy_type(H5T_NATIVE_INT), dims, values.data());
}

Handle create_array(const Handle& file, const std::string& path,
                    const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string flat;
  for (const std::string& text : texts) flat.append(text).append(width - text.size(), '\0');
  const std::array<hsize_t, 1> dims{texts.size()};
  return create_fixed(file, path, text_type(width), dims, flat.data());
}

Handle create_text(const Handle& file, const std::string& path, const std::string& text) {
  return create_fixed(file, path, text_type(std::max<std::size_t>(1, text.size())), {},
                      text.c_str());
}

void set_attribute(const Handle& object, const std::string& name, double value) {
  set_any_attribute(object, name, copy_type(H5T_NATIVE_DOUBLE), {}, &value);
}

void set_attribute(const Handle& object, const std::string& name, std::int64_t value) {
  set_any_attribute(object, name, copy_type(H5T_NATIVE_INT64), {}, &value);
}

void set_attribute(const Handle& object, const std::string& name, const std::string& text) {
  const char* const pointer = text.c_str();
  set_any_attribute(object, name, text_type(H5T_VARIABLE), {}, &pointer);
}

void set_attribute(const Handle& object, const std::string& name,
                   const std::vector<std::string>& texts) {
  std::vector<const char*> pointers(texts.size());
  std::transform(texts.begin(), texts.end(), pointers.begin(),
                 [](const std::string& text) { return text.c_str(); });
  const std::array<hsize_t, 1> dims{texts.size()};
  set_any_attribute(object, name, text_type(H5T_VARIABLE), dims, pointers.data());
}

}  // namespace fem::hdf5
