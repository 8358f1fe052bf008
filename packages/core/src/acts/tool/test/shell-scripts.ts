import fc from "fast-check"

/**
 * Programs that only report that they ran. `no` fails, so that loops end; the others succeed. None of these names is a
 * shell word.
 */
export const standIns = ["aa", "bb", "cc", "dd", "no"] as const

const name = fc.constantFrom("aa", "bb", "cc", "dd")
const word = fc.constantFrom("x", "y z", "-n", "--", "$HOME", "*", "'q'", '"d"', "a=1", "{1,2}", "~")

/** The ways to write a name so that bash runs the same program. */
const written = fc.tuple(name, fc.nat(8)).map(([plain, form]) => {
  const [first = "", second = ""] = plain
  const forms = [
    plain,
    `'${plain}'`,
    `"${plain}"`,
    `\\${plain}`,
    `${first}''${second}`,
    `$'${plain}'`,
    `${first}\\\n${second}`,
  ]
  return forms[form] ?? plain
})

const assignment = fc.constantFrom("", "", "", "v=1 ", 'v="$HOME" ', "v+=1 ", "v=(1 2); ")
const redirection = fc.constantFrom(
  "",
  "",
  "",
  " >out",
  " 2>&1",
  " </dev/null",
  " >>out 2>/dev/null",
  " &>out",
  " <<<text",
)

const simple = fc
  .tuple(assignment, written, fc.array(word, { maxLength: 2 }), redirection)
  .map(([before, command, words, after]) => `${before}${[command, ...words].join(" ")}${after}`)

const quoted = (script: string) => `'${script.replaceAll("'", `'\\''`)}'`

/** Ways to run a script from within another. */
const wrappings: ((script: string) => string)[] = [
  (s) => `( ${s}\n)`,
  (s) => `{ ${s}\n}`,
  (s) => `! { ${s}\n}`,
  (s) => `time { ${s}\n}`,
  (s) => `if ${s}\nthen aa; fi`,
  (s) => `if aa; then ${s}\nelse dd; fi`,
  (s) => `if no; then aa; elif ${s}\nthen bb; else cc; fi`,
  (s) => `for v in 1 2; do ${s}\ndone`,
  (s) => `for ((i = 0; i < 1; i++)); do ${s}\ndone`,
  (s) => `while no; do aa; done; ${s}`,
  (s) => `until aa; do ${s}\ndone; bb`,
  (s) => `case x in x) ${s}\n;; *) aa;; esac`,
  (s) => `case x in y) aa;; (x|z) ${s}\nesac`,
  (s) => `f() { ${s}\n}; f`,
  (s) => `function g { ${s}\n}; g`,
  (s) => `f() ( ${s}\n); f`,
  (s) => `aa "$(${s}\n)"`,
  (s) => `aa $(${s}\n) x`,
  (s) => `v=$(${s}\n)`,
  (s) => `v=\`${s.replaceAll(/[\\`$]/g, "\\$&")}\``,
  (s) => `declare w=$(${s}\n)`,
  (s) => `w=([0]=$(${s}\n) [1]=x)`,
  (s) => `aa <(${s}\n)`,
  (s) => `aa > >(${s}\n); wait`,
  (s) => `aa <<EOF\n$(${s}\n)\nEOF\n`,
  (s) => `aa <<'EOF'\n$(${s.replaceAll("EOF", "END")}\n)\nEOF\n`,
  (s) => `aa <<<"$(${s}\n)"`,
  (s) => `aa >"out$(${s}\n)"`,
  (s) => `[[ -n $(${s}\n) ]]`,
  (s) => `[[ x == "$(${s}\n)" ]] || bb`,
  (s) => `echo $((1 + 0$(${s}\n)))`,
  (s) => `(( 1 + 0$(${s}\n) ))`,
  (s) => `echo "\${none:-$(${s}\n)}"`,
  (s) => `echo "\${HOME#$(${s}\n)}"`,
  (s) => `n='a[$(${s.replaceAll("'", "")}\n)]'; echo $((n))`,
  (s) => `printf -v 'a[$(${s.replaceAll("'", "")}\n)]' x`,
  (s) => `PS4='$(${s.replaceAll("'", "")}\n)'; set -x; aa; set +x`,
  (s) => `eval ${quoted(s)}`,
  (s) => `trap ${quoted(s)} EXIT`,
  (s) => `trap ${quoted(s)} DEBUG; :; trap - DEBUG`,
  (s) => `bash -c ${quoted(s)}`,
  (s) => `bash <<'EOS'\n${s.replaceAll("EOS", "END")}\nEOS\n`,
  (s) => `echo ${quoted(s)} | bash`,
  (s) => `source <(echo ${quoted(s)})`,
  (s) => `. /dev/stdin <<<${quoted(s)}`,
  (s) => `command eval ${quoted(s)}`,
  (s) => `builtin eval ${quoted(s)}`,
  (s) => `exec 3>&1; ${s}`,
  (s) => `coproc { ${s}\n}; wait`,
  (s) => `alias k=${quoted(s)}; shopt -s expand_aliases\nk`,
  (s) => `${s} & wait`,
  (s) => `echo x | while read -r line; do ${s}\ndone`,
  (s) => `select v in a; do ${s}\nbreak; done <<<1`,
  (s) => `mapfile -c 1 -C ${quoted(s)} lines <<<x`,
  (s) => `# aa\n${s} # bb`,
]

/** Ways to run a program through a wrapper; these are real programs of the system. */
const wrappers =
  "command|exec|env|env v=1|env -i PATH=$PATH LOG=$LOG|nice -n 5|nohup|timeout 5|setsid -w|stdbuf -oL|xargs -n1 echo </dev/null;|time".split(
    "|",
  )

const wrapped = fc.tuple(fc.constantFrom(...wrappers), simple).map(([wrapper, command]) => {
  const bare = command.replace(/^v\S*?=\S* /, "").replace("v=(1 2); ", "")
  return wrapper === "exec" ? `(exec ${bare})` : `${wrapper} ${bare}`
})

/** A command that `find` runs. */
const byFind = simple.map(
  (command) =>
    `find . -maxdepth 0 -exec ${
      command
        .replace(/^v\S*?=\S* /, "")
        .replace("v=(1 2); ", "")
        .split(/ [<>2&]/)[0]
    } \\;`,
)

/** Scripts of stand-ins, in every shell construct that runs commands; bash runs them to the end. */
export const shellScripts: fc.Arbitrary<string> = fc.letrec<{ script: string }>((tie) => ({
  script: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    simple,
    wrapped,
    byFind,
    fc
      .tuple(tie("script"), fc.constantFrom(" && ", " || ", "; ", "\n", " | ", " & ", " |& "), tie("script"))
      .map(([first, between, second]) => `{ ${first}\n}${between}{ ${second}\n}`),
    fc.tuple(fc.constantFrom(...wrappings), tie("script")).map(([wrap, script]) => wrap(script)),
  ),
})).script
