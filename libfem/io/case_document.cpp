#include "libfem/io/case_document.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

using json::Tree;
using Members = Tree::Members;
namespace files = std::filesystem;

Tree* find_member(Tree& tree, std::string_view key) {
  auto* members = std::get_if<Members>(&tree.value);
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [&](const json::Member& m) { return m.key == key; });
  return found == members->end() ? nullptr : &found->tree;
}

// RFC 7396.
void merge(Tree& target, Tree patch) {
  auto* changes = std::get_if<Members>(&patch.value);
  if (changes == nullptr) {
    target = std::move(patch);
    return;
  }
  if (std::get_if<Members>(&target.value) == nullptr) target = {Members{}, patch.place};
  target.place = patch.place;
  auto& members = std::get<Members>(target.value);
  for (json::Member& change : *changes) {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const json::Member& m) { return m.key == change.key; });
    if (std::holds_alternative<std::nullptr_t>(change.tree.value)) {
      if (found != members.end()) members.erase(found);
    } else if (found != members.end()) {
      merge(found->tree, std::move(change.tree));
    } else {
      Tree added{Members{}};  // nulls within have nothing to remove
      merge(added, std::move(change.tree));
      members.push_back({change.key, std::move(added)});
    }
  }
}

// Files that include two each, and so on, are more than any computer reads.
constexpr std::size_t kMostIncluded = 1000;

class Loader {
 public:
  explicit Loader(CaseDocument& document) : document_(document) {}

  Tree load(const files::path& path) {
    const std::size_t source = document_.sources.size();
    document_.sources.push_back({path.string(), path.parent_path().string()});
    std::string text = load_text(path);
    Tree tree = json::parse(text, source, path.string(), document_.problems);
    if (source == 0) document_.text = std::move(text);
    std::error_code ignored;  // a pipe has no path
    open_.push_back(files::weakly_canonical(path, ignored));
    tree = with_included(std::move(tree), path);
    open_.pop_back();
    return tree;
  }

  [[nodiscard]] bool has_included() const { return document_.sources.size() > 1; }

 private:
  Tree with_included(Tree tree, const files::path& path) {
    const Tree* include = find_member(tree, "include");
    if (include == nullptr) return tree;
    const std::vector<Tree> names = list_names(*include);
    Tree merged{Members{}, tree.place};
    for (const Tree& name : names) merge(merged, load_included(name, path));
    auto& members = std::get<Members>(tree.value);
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [](const json::Member& m) { return m.key == "include"; }),
                  members.end());
    merge(merged, std::move(tree));
    return merged;
  }

  [[noreturn]] void fail(const Tree& at, std::string what, std::string remedy) const {
    throw InputError(Problem{"/include", std::move(what), std::move(remedy),
                             json::show_place(document_.sources, at.place)});
  }

  [[nodiscard]] std::vector<Tree> list_names(const Tree& include) const {
    std::vector<Tree> names;
    if (const auto* list = include.as<Tree::List>()) {
      names = *list;
    } else {
      names.push_back(include);
    }
    const auto is_name = [](const Tree& tree) {
      return tree.as<std::string>() != nullptr && !tree.as<std::string>()->empty();
    };
    if (names.empty() || !std::all_of(names.begin(), names.end(), is_name)) {
      fail(include, json::show(include) + " is not allowed",
           "must be the path of a file, or a list of paths");
    }
    return names;
  }

  Tree load_included(const Tree& name, const files::path& from) {
    const files::path path = from.parent_path() / *name.as<std::string>();
    std::error_code ignored;
    const std::string what = "'" + from.string() + "' includes '" + path.string() + "', which ";
    const std::string remedy =
        "give the path of a file, from the folder of the file that includes it";
    if (!files::exists(path, ignored)) {
      const std::string nearest = nearest_file(path);
      fail(name, what + "does not exist",
           nearest.empty() ? remedy : "did you mean '" + nearest + "'?");
    }
    if (files::is_directory(path, ignored)) fail(name, what + "is a folder", remedy);
    const files::path canonical = files::weakly_canonical(path, ignored);
    if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
      fail(name, what + "includes it", "no file includes itself, not even by way of others");
    }
    if (document_.sources.size() > kMostIncluded) {
      fail(name, "more than " + std::to_string(kMostIncluded) + " files are included",
           "a file that includes others twice is read twice: include each once");
    }
    Tree tree = load(path);
    if (tree.as<Members>() == nullptr) {
      fail(name, "'" + path.string() + "' holds " + json::show(tree),
           "an included file holds an object, like a case");
    }
    return tree;
  }

  CaseDocument& document_;
  std::vector<files::path> open_;  // from the case to the file at hand
};

// Keys of a case whose members are named by the user.
bool is_named_part(std::string_view key) {
  constexpr std::array<std::string_view, 12> kParts{
      "sections",    "laws",   "points",    "rods",    "hinges",     "supports",
      "constraints", "bodies", "particles", "springs", "hereditary", "loads"};
  return std::find(kParts.begin(), kParts.end(), key) != kParts.end();
}

class Setter {
 public:
  Setter(CaseDocument& document, const std::string& setting) : document_(document) {
    if (!json::is_utf8(setting)) {
      throw InputError(
          Problem{"--set", "the setting is not valid UTF-8 text", "write it in UTF-8"});
    }
    const std::size_t equals = setting.find('=');
    pointer_ = setting.substr(0, equals);
    if (equals == std::string::npos || pointer_.empty() || pointer_.front() != '/') {
      throw InputError(Problem{"--set " + setting, "this is no setting",
                               "write --set /json/pointer=value, like --set /analysis/end=10"});
    }
    source_ = document.sources.size();
    document.sources.push_back({"--set " + setting, ""});
    text_ = setting.substr(equals + 1);
  }

  void set() {
    const std::vector<std::string> keys = split_pointer(pointer_);
    Tree* tree = &document_.tree;
    for (std::size_t i = 0; i < keys.size(); ++i) tree = &enter(*tree, keys, i);
    *tree = parse_value();
  }

 private:
  [[noreturn]] void fail(std::string what, std::string remedy) const {
    throw InputError(
        Problem{pointer_, std::move(what), std::move(remedy), document_.sources[source_].name});
  }

  [[nodiscard]] Tree parse_value() const {
    std::vector<Problem> problems;
    Tree tree;
    try {
      tree = json::parse(text_, source_, document_.sources[source_].name, problems);
    } catch (const json::NotJson&) {
      const std::size_t first = text_.find_first_not_of(" \t\r\n");
      if (first != std::string::npos &&
          std::string_view("{[\"").find(text_[first]) != std::string_view::npos) {
        fail(json::show(text_) + " is not JSON", "write a number, a text, a list or an object");
      }
      tree = {text_};
    } catch (const InputError& error) {
      problems = error.problems();
    }
    if (!problems.empty()) fail_within(std::move(problems));
    forget_lines(tree);
    return tree;
  }

  [[noreturn]] void fail_within(std::vector<Problem> problems) const {
    for (Problem& problem : problems) {
      problem.pointer = pointer_ + problem.pointer;
      problem.place = document_.sources[source_].name;
    }
    throw InputError(std::move(problems));
  }

  // A command line has none.
  void forget_lines(Tree& tree) const {
    tree.place = {0, 0, source_};
    if (auto* members = std::get_if<Members>(&tree.value)) {
      for (json::Member& member : *members) forget_lines(member.tree);
    } else if (auto* list = std::get_if<Tree::List>(&tree.value)) {
      for (Tree& item : *list) forget_lines(item);
    }
  }

  Tree& enter(Tree& tree, const std::vector<std::string>& keys, std::size_t depth) {
    const std::string& key = keys[depth];
    if (auto* list = std::get_if<Tree::List>(&tree.value)) return enter_list(*list, key);
    auto* members = std::get_if<Members>(&tree.value);
    if (members == nullptr) {
      fail("there is nothing below " + json::show(tree) + " that '" + key + "' could be",
           "end the pointer before it");
    }
    if (Tree* found = find_member(tree, key)) return *found;
    std::vector<std::string> names;
    for (const json::Member& member : *members) names.push_back(member.key);
    const bool is_name = depth == 1 && is_named_part(keys[0]);
    const std::string nearest = nearest_name(key, names);
    if (is_name) {
      fail("there is no '" + key + "' in " + keys[0],
           (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "there are " +
               list_names(names));
    }
    // A key that the case leaves out: the reader knows whether the format has it.
    members->push_back({key, {Members{}, {0, 0, source_}}});
    return members->back().tree;
  }

  Tree& enter_list(Tree::List& list, const std::string& key) const {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc{} || end != key.data() + key.size() || index >= list.size()) {
      fail("the list has no element '" + key + "'",
           list.empty() ? "it is empty" : "give 0 to " + std::to_string(list.size() - 1));
    }
    return list[index];
  }

  CaseDocument& document_;
  std::string pointer_;
  std::size_t source_ = 0;
  std::string text_;
};

}  // namespace

CaseDocument load_case_document(const files::path& path, std::span<const std::string> settings) {
  CaseDocument document;
  Loader loader(document);
  document.tree = loader.load(path);
  for (const std::string& setting : settings) set_value(document, setting);
  if (loader.has_included() || !settings.empty()) document.text = json::dump(document.tree);
  return document;
}

void set_value(CaseDocument& document, const std::string& setting) {
  Setter(document, setting).set();
}

void locate(const CaseDocument& document, std::vector<Problem>& problems) {
  for (Problem& problem : problems) {
    if (!problem.place.empty() || problem.pointer.empty() || problem.pointer.front() != '/') {
      continue;
    }
    const Tree& tree = json::find_deepest(document.tree, problem.pointer);
    problem.place = json::show_place(document.sources, tree.place);
  }
}

}  // namespace fem
