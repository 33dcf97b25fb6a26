/**
 * Constant shell scripts: what callers write reaches them as arguments and variables only, which no shell parses.
 * util-linux (`unshare`, `setpriv`, `mount`, `pivot_root`) does what Node has no call for.
 */

/**
 * Until a program runs with its own rights, its variables have this prefix: `LD_PRELOAD` or `PATH` of an `app.yaml` would otherwise
 * act on the tools that confine it.
 */
export const variablePrefix = "LHV_";

/**
 * The last step of each method, with the rights of the program: gives its variables their names and runs it. In a
 * namespace, this shell is process 1: it ends with the program, and the kernel then ends all other processes. SIGTERM
 * is left to the program, which decides how to end. Messages of the shell about the end are not part of the output. The
 * arguments are the working folder, names of variables, `--`, and the program with its arguments.
 */
export const runScript = `
trap : TERM INT HUP
cd "$1"
shift
while [ "$1" != -- ]; do
  eval "export $1=\\"\\$${variablePrefix}$1\\"; unset ${variablePrefix}$1"
  shift
done
shift
exec 3>&2 2>/dev/null
( exec "$@" 2>&3 3>&- )
exit
`;

/**
 * Lets a program that runs as another user open /dev/stdout and /dev/stderr: these are the pipe or the log file that this user made.
 * Nothing else is given away, such as the device /dev/null.
 */
const giveOutput = `
if [ -n "$user" ]; then
  if [ -p /proc/self/fd/1 ] || [ -f /proc/self/fd/1 ]; then chown "$user" /proc/self/fd/1; fi
fi
`;

/** The arguments are the number of the user and the command that becomes this user. */
export const asUserScript = `
set -e
user=$1
shift
${giveOutput}
exec "$@"
`;

/** Opens a file for bubblewrap, which reads and closes it. The arguments are the file and the command. */
export const filterScript = `
file=$1
shift
exec "$@" 9< "$file"
`;

/**
 * Creates a new root in new mount and pid namespaces, with only what the arguments name, and removes the old root. The
 * arguments are an empty folder, the number of a user or nothing, the files and the folders to copy (our own names,
 * without spaces), the parts (\`layoutArguments\`), \`--\`, and the command that gives up the remaining rights.
 */
export const namespaceScript = `
set -e
umask 022
root=$1 user=$2
mount -t tmpfs -o mode=0755,size=16m,nosuid,nodev lakehelm "$root"
files=$3 folders=$4
cd /
[ -z "$files" ] || cp -L --preserve=mode --parents $files "$root"
[ -z "$folders" ] || cp -R -P --preserve=mode --parents $folders "$root"
shift 4
while [ "$1" != -- ]; do
  case $1 in
    bind)
      to=$root$3
      parent=\${to%/*}
      if [ -d "$2" ]; then
        [ -d "$to" ] || mkdir -p "$to"
      else
        [ -d "$parent" ] || mkdir -p "$parent"
        [ -e "$to" ] || : > "$to"
      fi
      mount --rbind "$2" "$to"
      ;;
    options) mount -o "remount,bind,$3" "$root$2" ;;
    link)
      parent=$root\${3%/*}
      [ -d "$parent" ] || mkdir -p "$parent"
      ln -s "$2" "$root$3"
      ;;
    hide-folder) mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev lakehelm "$root$2" ;;
    hide-file) mount --bind /dev/null "$root$2" ;;
  esac
  shift 3
done
shift
mkdir -p "$root/dev/shm" "$root/proc" "$root/.old"
mount -t tmpfs -o mode=1777,size=64m,nosuid,nodev,noexec lakehelm "$root/dev/shm"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
${giveOutput}
cd "$root"
pivot_root . .old
cd /
umount --lazy --internal-only /.old
rmdir /.old
if [ -z "$user" ]; then echo 0 > /proc/sys/user/max_user_namespaces || : ; fi 2>/dev/null
mount -o remount,bind,ro,nosuid,nodev /
exec "$@"
`;
