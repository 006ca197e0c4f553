#!/bin/sh
# Runs a program that is built with a sanitizer. The thread sanitizer cannot start where addresses
# are randomized too much: without that if it may, else the test is skipped.
if setarch -R true 2> /dev/null; then
  set -- setarch -R "$1"
fi
said=$("$@" --gtest_list_tests 2>&1)
case $said in
  *"unexpected memory mapping"*)
    echo "$said" >&2
    exit 77
    ;;
esac
exec "$@"
