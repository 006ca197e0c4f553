# Shared by scripts/run, scripts/test, scripts/format and .ci/run; sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# Debian's own python3: it has h5py and matplotlib; another one may stand before it in PATH.
python=/usr/bin/python3

build_packages=(
  g++ cmake ninja-build ccache
  libeigen3-dev libspectra-dev libtbb-dev libhdf5-dev nlohmann-json3-dev libboost-math-dev
  libcli11-dev libfmt-dev libspdlog-dev libgtest-dev libgmock-dev libbenchmark-dev
  pkg-config pybind11-dev python3-dev
  python3 python3-h5py python3-jsonschema python3-numpy python3-matplotlib python3-pytest python3-sympy
)
check_packages=(clang-format clang-tidy hdf5-tools)
# What opens the pages and the exports of fem-post in tests, which are skipped without: 200 MB to fetch.
viewer_packages=(chromium python3-paraview)

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# Runs a command as root.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    die "root or sudo is needed for: $*"
  fi
}

# install_packages NAME…: installs the Debian packages that are missing, and says which.
install_packages() {
  if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    say "not a Debian system: install what corresponds to $*"
    return
  fi
  local installed package missing=()
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2> /dev/null || true)
  for package in "$@"; do
    grep -qxF "installed $package" <<< "$installed" || missing+=("$package")
  done
  if [[ ${#missing[@]} -eq 0 ]]; then
    return
  fi
  say "installing Debian packages: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  as_root "${apt[@]}" update < /dev/null >&2 || say "apt-get update failed; trying with what is known"
  as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" < /dev/null >&2 \
    || die "could not install ${missing[*]}"
}

# The instruction set to build for.
choose_arch() {
  local flag
  for flag in avx2 fma bmi2; do
    if ! grep -qwm1 "$flag" /proc/cpuinfo; then
      echo baseline
      return
    fi
  done
  echo x86-64-v3
}

# configure PRESET: once, and again when the presets, the instruction set or the folder changed.
# (The build itself notices changed CMakeLists.txt and new sources.)
configure() {
  local preset=$1 folder=$root/build/$1 arch=${FEM_ARCH:-$(choose_arch)} options=()
  local cache=$folder/CMakeCache.txt
  if [[ -f $cache ]]; then
    if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
      options=(--fresh) # the checkout was moved or copied
    elif [[ -f $folder/build.ninja && $folder/build.ninja -nt $root/CMakePresets.json ]] \
      && grep -qxF "FEM_ARCH:STRING=$arch" "$cache"; then
      return
    fi
  fi
  (cd "$root" && cmake --preset "$preset" "${options[@]}" -DFEM_ARCH="$arch")
}

# build PRESET TARGET…
build() {
  local preset=$1
  shift
  (cd "$root" && cmake --build --preset "$preset" --parallel "$(nproc)" --target "$@")
}
