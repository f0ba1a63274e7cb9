# Two says that it is under way and goes on for ever. One waits for that, and then breaks the disk under the engine: where
# it wants to stage the output there is no folder any more.
set -e
case "$PAWL_UNIT" in
  two)
    echo "$$" > "$FAULT_CALLS.pipe"
    exec tail -f /dev/null
    ;;
  one)
    read -r pid < "$FAULT_CALLS.pipe"
    echo "$pid" > "$FAULT_CALLS"
    echo text > "$1"
    for staging in .pawl/runs/*/staging; do rm -r "$staging" && echo broken > "$staging"; done
    ;;
esac
