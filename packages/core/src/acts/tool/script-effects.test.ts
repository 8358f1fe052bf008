import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { analyseScript } from "./command-analysis.ts"
import { changesNoFile } from "./script-effects.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const reads = (script: string) => {
  const commands = analyseScript(script)
  return commands !== null && changesNoFile(script, commands)
}

const reading = [
  "cat a.txt",
  "cd sub && ls -la; pwd",
  "cat a.txt b.txt 2>/dev/null | head -5 | wc -l",
  'for file in *.txt; do echo "$file"; grep -c one "$file"; done',
  "[ -f a.txt ] && echo yes || echo no",
  'echo "$(cat a.txt)" $(ls sub)',
  'cat "$PWD/a.txt"',
  "git status --short",
  "git --no-pager log --oneline -5 -- a.txt",
  "git diff --stat HEAD",
  "git ls-files --others --exclude-standard",
  "find . -name '*.txt' -not -path './.git/*' -type f",
  "sed -n '1,3p' a.txt",
  "sed -n '1p;2,$p' a.txt b.txt",
  "sort -k1,1 -rn a.txt | uniq -c",
  "cat <<END\n$(ls)\nEND",
]

const changing = [
  "echo one > a.txt",
  "cat a.txt >> b.txt",
  "cat a.txt > $TARGET",
  "echo $(rm a.txt)",
  'echo "$(git checkout -- .)"',
  "cat <(tee made.txt < a.txt)",
  "cat <<END\n$(touch made.txt)\nEND",
  "ls | tee made.txt",
  "ls | xargs rm",
  "cat() { rm a.txt; }; cat",
  "alias cat=rm; cat a.txt",
  "trap 'rm a.txt' EXIT; ls",
  "PATH=.:$PATH cat a.txt",
  "PATH=.; cat a.txt",
  "for PATH in .; do cat a.txt; done",
  "printf -v PATH .; cat a.txt",
  "for x in 'b[$(rm a.txt)]'; do echo $((x)); done",
  "unset PATH; cat a.txt",
  "$CAT a.txt",
  "c$AT a.txt",
  "./cat a.txt",
  "eval 'rm a.txt'",
  "find . -name '*.txt' -delete",
  "find . -exec rm {} +",
  "find . -fprint made.txt",
  "find . $WHAT",
  "sed -i s/one/two/ a.txt",
  "sed -n '1,3p' a.txt -i",
  "sed -n 'w made.txt' a.txt",
  "sed -n '1,3p;w made.txt' a.txt",
  "sed -n $SCRIPT a.txt",
  "sort a.txt -o a.txt",
  "sort --output=a.txt a.txt",
  "sort -ro a.txt a.txt",
  "uniq a.txt b.txt",
  "rg one --pre ./program",
  "git checkout a.txt",
  "git commit -qam two",
  "git -c core.fsmonitor=./program status",
  "git diff --output=made.txt",
  "git diff --outp=made.txt",
  "git diff $OPTIONS",
  "git log --ext-diff",
  "git grep -Otee one",
  "git stash",
  "test -v 'a[$(touch made.txt)]'",
  "printf -v 'a[`touch made.txt`]' x",
  "[[ 'a[$(touch made.txt)]' -eq 0 ]]",
  "npm test",
  "file -C -m a.txt",
  "( cat a.txt ) > made.txt",
  "{ ls; } &> made.txt",
  "exec > made.txt; ls",
  "echo one | sh",
]

describe("a script is known to change no file", () => {
  test("when all its commands only read, and it changes none", () => {
    const fixture = createToolFixture()
    mkdirSync(path.join(fixture.project, "sub"))
    for (const name of ["a.txt", "b.txt", "sub/c.txt"]) fixture.write(name, "one\ntwo\n")
    execFileSync("git", ["add", "-A"], { cwd: fixture.project })
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-qm", "first"], {
      cwd: fixture.project,
    })
    const files = () =>
      readdirSync(fixture.project, { recursive: true, encoding: "utf8" }).filter((name) => !/^\.git(?:\/|$)/.test(name))
    const before = files()
    for (const script of reading) {
      expect(reads(script), script).toBe(true)
      execFileSync("bash", ["-c", script], { cwd: fixture.project })
    }
    expect(files()).toEqual(before)
    for (const name of ["a.txt", "b.txt", "sub/c.txt"]) {
      expect(readFileSync(path.join(fixture.project, name), "utf8")).toBe("one\ntwo\n")
    }
  })

  test.each(changing)("never with a command that may change one: %s", (script) => {
    expect(reads(script)).toBe(false)
  })
})
