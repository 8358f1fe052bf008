import path from "node:path"

/**
 * A copy of the file with links to all that lies beside it and above it, so that a command finds its settings there. The
 * command changes the copy, which is written out then.
 */
const script = `set -e
top=$1 inner=$2 name=$3
shift 3
copy=$(mktemp -d "\${TMPDIR:-/tmp}/docket-format.XXXXXX")
trap 'rm -rf "$copy"' EXIT
trap 'exit 143' TERM
link() {
  [ ! -d "$1" ] || find "$1" -mindepth 1 -maxdepth 1 -exec sh -c 'ln -s "$@" "$0/"' "$2" {} +
}
link "$top" "$copy"
at=$copy
rest=$inner
while [ -n "$rest" ]; do
  part=\${rest%%/*}
  case $rest in */*) rest=\${rest#*/} ;; *) rest= ;; esac
  top=$top/$part at=$at/$part
  rm -f "$at"
  mkdir "$at"
  link "$top" "$at"
done
file=$at/$name
rm -f "$file"
cat > "$file"
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  case $word in *'$FILE'*) word=\${word%%'$FILE'*}$file\${word#*'$FILE'} ;; esac
  set -- "$@" "$word"
  left=$((left - 1))
done
cd "$copy"
"$@" >&2 </dev/null
cat "$file"
`

/** How a command that changes `$FILE` is run: from its input to its output, without a change of the project. */
export function copyCommand(
  worktree: string,
  file: string,
  command: readonly string[],
): { file: string; args: string[] } {
  const inner = path.relative(worktree, path.dirname(file))
  return { file: "/bin/sh", args: ["-c", script, "sh", worktree, inner, path.basename(file), ...command] }
}
