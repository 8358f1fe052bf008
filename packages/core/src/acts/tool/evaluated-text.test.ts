// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expansions of the shell
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { evaluateRequest, rulesFromConfig } from "../../ground/rule/index.ts"
import type { PermissionConfig } from "../../ground/schema/permission.ts"
import { analyseScript } from "./command-analysis.ts"
import { commandPatterns } from "./command-patterns.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const judge = (script: string, bash: PermissionConfig) =>
  evaluateRequest({
    permission: "bash",
    patterns: commandPatterns(analyseScript(script)).patterns,
    rules: rulesFromConfig(bash),
    grants: [],
  }).action

const element = "a[$(rm README.md)]"

/** Each removes README.md in a project with an executable `ls` that deletes it. */
const attacks = [
  "echo ${a['$(rm README.md)']}",
  "for PATH in .; do ls; done",
  "select PATH in .; do ls; break; done <<< 1",
  "git grep -O'rm README.md;true' one",
  "git grep --op='rm README.md;true' one",
  "git ls-remote --upload-pack='rm README.md;true' .",
  "for x in '$(rm README.md)'; do echo \"${x@P}\"; done",
  `for x in '${element}'; do echo $((x)); done`,
  `for x in '${element}'; do echo $[x]; done`,
  `for x in '${element}'; do ((x)); done`,
  `for x in '${element}'; do y=$x; echo $((y + 1)); done`,
  `for x in '${element}'; do [[ $x -eq 1 ]]; done`,
  `for x in '${element}'; do [[ -v $x ]]; done`,
  `for x in '${element}'; do [ -v "$x" ]; done`,
  `for x in '-v ${element}'; do IFS='|'; for y in '-v|${element}'; do [ $y ]; done; done`,
  `for x in '${element}'; do echo \${!x}; done`,
  `for x in '${element}'; do echo \${b[x]}; done`,
  `for x in '${element}'; do b[x]=1; done`,
  `for x in '${element}'; do echo \${PWD:x}; done`,
  `for x in '${element}'; do let x; done`,
  `for x in '${element}'; do printf -v "$x" 1; done`,
  `for x in '${element}'; do read "$x" <<< 1; done`,
  `for x in '${element}'; do a=(1); unset "$x"; done`,
  `for x in '${element}'; do declare -i y; y=$x; done`,
  `for x in '${element}'; do eval '((x))'; done`,
  `for x in '${element}'; do export x; bash -c '((x))'; done`,
  `for x in '${element}'; do for ((i = x; i < 1; i++)); do :; done; done`,
  "for PS4 in '$(rm README.md)'; do set -x; ls src; done",
  "read PATH <<< .:$PATH; ls",
  "mapfile -t PATH <<< .; ls",
  "printf -v PATH %s .:$PATH; ls",
  "printf -v 'BASH_CMDS[ls]' ./ls; ls",
  "export PATH=.:$PATH; ls",
  "env PATH=. ls",
  `[[ '${element}' -eq 1 ]]`,
  `[[ -v '${element}' ]]`,
  `(( '${element}' ))`,
  `set -- '${element}'; echo $(($1))`,
  `echo '${element}'; echo $((_))`,
  `read <<< '${element}'; echo $((REPLY))`,
  `echo '${element}' | while read n; do echo $((n)); done`,
  `printf '%s' '${element}' > src/n; n=$(cat src/n); ((n))`,
  `f() { echo $(($1)); }; f '${element}'`,
  `wc() { echo '${element}'; }; n=$(wc -l); ((n))`,
  `arr=('${element}'); ((arr[0]))`,
  'x="a[\\$(rm README.md)]"; ((x))',
  'export PS4="\\$(rm README.md)"; set -x; ls src',
  "compgen -W '$(rm README.md)'",
  "jobs -x rm README.md",
]

/** Harmless when run like this, but dangerous with another program or file in the project. */
const dangers = [
  "getopts x PATH -x; ls",
  "coproc PATH { ls; }; ls",
  "ls {PATH}> src/out; ls",
  "echo ${PATH:=.}; ls",
  "((PATH = 1)); ls",
  "unset PATH; ls",
  'export "$x=1"; ls',
  "declare -n r=PATH; r=.; ls",
  "for n in *; do ((n)); done",
  "sudo LD_PRELOAD=./x ls",
  "LESSOPEN='|rm README.md;cat %s' less x",
  "EDITOR=./x git commit",
  "GIT_EXTERNAL_DIFF=./x git diff",
  "HOME=. git status",
  "git fetch --upload-pack x",
  "git push --receive-pack=x",
  "git rebase --exec 'rm README.md' main",
  "git rebase -x 'rm README.md' main",
  "git clone -u x y",
  "git clone -c core.sshCommand=x y",
  "git diff --output README.md",
  "git log --outp=README.md",
  "git -C . grep -nOx y",
  "timeout 5 git grep -Ox y",
]

const everyday = [
  'for f in *.ts; do wc -l "$f"; done',
  "i=$((i+1))",
  "[[ -f x ]]",
  '[[ "$x" == y* && -n $z ]]',
  'echo "${arr[0]}" "${arr[@]}" ${#arr[@]} "${!arr[@]}" "${arr[-1]}"',
  'echo ${x%.*} "${x##*/}" ${x:-a} ${x/a/b} ${x^^} ${x:0:8} ${x@Q}',
  "for i in 1 2 3; do echo $((i * 2)); done",
  'for i in {1..5}; do echo "$((i + 1))"; done',
  "for i in $(seq 1 5); do ((i++)); done",
  "for ((i = 0; i < 10; i++)); do echo $i; done",
  "n=$(wc -l < a.txt); echo $((n + 1)); if (( n > 3 )); then echo yes; fi",
  "n=$(ls | wc -l); [[ $n -gt 3 ]] && echo many",
  '[ "$n" -gt 3 ] && echo many',
  "if [ $? -eq 0 ]; then echo ok; fi",
  'while read -r line; do echo "$line"; done < a.txt',
  'while IFS= read -r line; do echo "$line"; done < a.txt',
  'while IFS=: read -r a b; do echo "$a"; done < a.txt',
  'arr=(a b c); for ((i=0;i<${#arr[@]};i++)); do echo "${arr[$i]} ${arr[i]}"; done',
  "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
  "let i=1; let i++",
  "echo $((3 * 4)) $((0x1F)) $((10#08))",
  "export FOO=bar; declare -a list; declare -A map; unset FOO",
  "start=$(date +%s); ls; echo $(($(date +%s) - start))",
  "printf -v out '%s' x; echo \"$out\"",
  'mapfile -t lines < a.txt; echo "${lines[0]}"',
  "x=abc; echo ${!x}",
  "for x in a b; do [ $x = a ] && echo a; done",
  "GIT_PAGER=cat git log",
  "git grep -n foo; git log --oneline -5; git rebase main; git push -u origin main; git diff --color-words",
]

describe("text that the shell evaluates", () => {
  test.each(attacks)("runs a command, and asks: %s", (script) => {
    const fixture = createToolFixture()
    fixture.write("README.md", "one\n")
    fixture.write("src/a.txt", "one\n")
    fixture.write("ls", "#!/bin/sh\n/bin/rm README.md\n")
    chmodSync(path.join(fixture.project, "ls"), 0o755)
    execFileSync("git", ["add", "-A"], { cwd: fixture.project })
    spawnSync("bash", ["-c", script], { cwd: fixture.project, stdio: "ignore", timeout: 20_000 })
    expect(existsSync(path.join(fixture.project, "README.md"))).toBe(false)
    expect(judge(script, { bash: { "*": "ask", "echo *": "allow", ls: "allow", "git grep *": "allow" } })).toBe("ask")
    expect(judge(script, { bash: { "*": "allow", "rm *": "deny" } })).not.toBe("allow")
  })

  test.each(dangers)("may run a command, and asks: %s", (script) => {
    expect(judge(script, { bash: { "*": "allow", "rm *": "deny" } })).toBe("ask")
  })

  test.each(everyday)("needs no permission in everyday scripts: %s", (script) => {
    expect(commandPatterns(analyseScript(script)).patterns).not.toContain("*")
  })

  test("leaves rules that deny in force", () => {
    const rules: PermissionConfig = { bash: { "*": "allow", "rm *": "deny" } }
    expect(judge(`for x in '${element}'; do ((x)); rm b; done`, rules)).toBe("deny")
    expect(judge("for PATH in .; do rm b; done", rules)).toBe("deny")
  })
})
