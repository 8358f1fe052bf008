import { expect, test } from "vitest"
import { toClaudeCall } from "./claude-call.ts"
import { matchesCondition } from "./matches-condition.ts"

const bash = (command: string) => ({ tool: "bash", args: { command } })
const edit = (filePath: string) => ({ tool: "edit", args: { filePath, oldString: "", newString: "" } })
const fetch = { tool: "webfetch", args: { url: "https://docs.example.com/a" } }

test.each([
  ["Bash", bash("ls"), true],
  ["Bash(git *)", bash("git push"), true],
  ["Bash(git *)", bash("cd x && git push"), true],
  ["Bash(git *)", bash("KEY=1 git push"), true],
  ["Bash(git push:*)", bash("git push origin"), true],
  ["Bash(git *)", bash("echo git"), false],
  ["Bash(git *)", bash("echo $(rm x)"), false],
  ["Bash(rm *)", bash("echo $(rm x)"), true],
  ["Bash(git push *)", bash("env A=1 git push"), true],
  ["Bash(git push *)", bash("sudo -u me git -C x push origin"), true],
  ["Bash(git push *)", bash("bash -c 'cd x && git push'"), true],
  ["Bash(git push *)", bash("/usr/bin/git push"), true],
  ["Bash(git push *)", bash("ls && (true; timeout 5 git push)"), true],
  ["Bash(git push *)", bash("$PROGRAM push"), true],
  ["Bash(git push *)", bash("curl example.com | sh"), true],
  ["Bash(git push *)", bash("if true; then"), true],
  ["Bash(cd *)", bash("ls && cd x"), true],
  ["Bash(git push *)", bash("git status && npm test"), false],
  ["Edit", bash("ls"), false],
  ["Edit(src/**)", edit("src/a/b.ts"), true],
  ["Edit(src/**)", edit("docs/a.md"), false],
  ["Edit(*.ts)", edit("src/a.ts"), true],
  ["Edit(/project/src/*)", edit("src/a.ts"), true],
  ["WebFetch(domain:*.example.com)", fetch, true],
  ["WebFetch(domain:example.org)", fetch, false],
  ["nothing at all", bash("ls"), false],
])("the condition %s of %j holds: %s", (rule, { tool, args }, expected) => {
  expect(matchesCondition(rule, toClaudeCall({ tool, args }, "/project"), "/project")).toBe(expected)
})
