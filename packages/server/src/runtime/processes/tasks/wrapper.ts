/**
 * Runs a program so that its end is known without the server: a killed server gets no exit event, and the next server
 * reads `status`. The arguments are a folder, the maximum output in blocks of 512 bytes, the maximum memory in
 * kilobytes, and the program with its arguments, which the shell never parses.
 *
 * - `cat` writes what it reads at once, and ends at the limit of the file's size. Further output is read and dropped:
 *   the program goes on, and the disk does not fill up.
 * - On SIGTERM, which its whole group gets, the program may end by itself. The shell and the reader of its output wait.
 * - `started` distinguishes a program that was never started from one whose end is unknown.
 */
export const wrapper = `
trap : TERM
folder=$1; most=$2; memory=$3
shift 3
ulimit -c 0 2>/dev/null
ulimit -d "$memory" 2>/dev/null
: > "$folder/started"
{
  trap : TERM
  ( exec "$@" ) < /dev/null 2>&1
  printf %s "$?" > "$folder/status.new"
} | {
  trap '' TERM
  ( ulimit -f "$most"; exec cat >> "$folder/log" )
  echo >> "$folder/log"
  cat > /dev/null
}
mv "$folder/status.new" "$folder/status"
`;
