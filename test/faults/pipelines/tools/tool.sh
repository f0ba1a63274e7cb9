# tool.sh OUTPUT [INPUT]: writes down that it was executed, then makes its output.
set -e
echo "$PAWL_UNIT $PAWL_PHASE $PAWL_ATTEMPT $PAWL_ITERATION" >> "$FAULT_CALLS"
echo "made for $PAWL_UNIT by $PAWL_PHASE" > "$1"
if [ -n "$2" ]; then cat "$2" >> "$1"; fi
echo done
