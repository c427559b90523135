/// The process that serves the page of a run: a child of nobody that is there.
enum PageProcess {
  /// A command of bash that prints it, for the run `$run` that was begun in the current folder.
  static let command = #"""
    for process in $(pgrep -x lookahead); do
      if [ "$(readlink /proc/$process/cwd)" = "$(pwd -P)" ] && [ $process != $run ] \
        && [ "$(ps -o ppid= -p $process | tr -d ' ')" != $run ]; then echo $process; fi
    done
    """#
}
