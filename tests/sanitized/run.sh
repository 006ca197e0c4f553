#!/bin/sh
# Runs a program that is built with a sanitizer. The thread sanitizer cannot start where addresses
# are randomized too much: without that, or where neither is allowed, the test is skipped.
for call in "setarch -R" ""; do
  if $call "$1" --gtest_list_tests > /dev/null 2>&1; then
    exec $call "$1"
  fi
done
echo "sanitizers cannot start here" >&2
exit 77
