import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { evaluateRequest, matchWildcard, rulesFromConfig } from "../../ground/rule/index.ts"
import type { PermissionConfig } from "../../ground/schema/permission.ts"
import { analyseScript } from "./command-analysis.ts"
import { commandPatterns, unknownWordPatterns } from "./command-patterns.ts"

const judge = (source: string) => commandPatterns(analyseScript(source))

describe("commandPatterns", () => {
  it.each([
    ["git log --oneline | head -5", ["git log --oneline", "head -5"], ["git log *", "head *"]],
    ["npm run build && npm test", ["npm run build", "npm test"], ["npm run build *", "npm test *"]],
    ["for f in *.ts; do wc -l $f; done", ["wc -l $f"], ["wc *"]],
    [`"git" 'status'`, ["git status"], ["git status *"]],
    ["cd src && ls", ["ls"], ["ls *"]],
    ["git -C x push", ["git -C x push", "git x push", "git push"], ["git -C x push", "git x push", "git push"]],
    ["echo a; echo b", ["echo a", "echo b"], ["echo *"]],
  ])("gives each command its pattern: %s", (source, patterns, always) => {
    expect(judge(source)).toEqual({ patterns, always })
  })

  it.each([
    "echo 'open",
    "if then",
    "ls\r-la",
    "ls \u202etxt.exe",
    "ls\u200b",
    "$cmd x",
    "git $verb",
    `${"true;".repeat(51)}`,
    "x".repeat(20_001),
  ])('offers no "always" for what may be any command: %j', (source) => {
    const { patterns, always } = judge(source)
    expect(patterns).toContain("*")
    expect(always).toEqual([])
  })

  it("marks commands whose words only the shell knows", () => {
    const unknown = (source: string) => unknownWordPatterns(analyseScript(source) ?? [])
    expect(unknown("rm $X; ls; rm 'a$b'; awk '{print $1}' f; wc -l *.ts")).toEqual(["rm $X"])
    expect(unknown('rm $(cat list) && A=$B make all && sudo rm "$Y"')).toEqual(
      expect.arrayContaining(["rm $(cat list)", "A=$B make all", "make all", "sudo rm $Y", "rm $Y"]),
    )
    expect(unknown("./x/rm `ls`")).toEqual(["./x/rm `ls`", "rm `ls`"])
  })

  it('offers no "always" wider than the command of a wrapper', () => {
    expect(judge("sudo ls").always).toEqual(["sudo ls", "ls"])
    expect(judge("sh -c 'make test'").always).toEqual(["sh -c make test", "make test"])
    expect(judge("bash *.sh").always).toEqual([])
    expect(judge("ls && bash *.sh").always).toEqual([])
    expect(judge("git").always).toEqual(["git"])
    expect(judge("python3 - <<EOF\nprint(1)\nEOF").always).toEqual([])
    expect(judge("python3 tool.py --fast").always).toEqual(["python3 tool.py *"])
    expect(judge("export A=1").always).toEqual(["export A=1"])
  })

  it('offers an "always" that covers the call', () => {
    const word = fc.constantFrom(
      "git",
      "log",
      "ls",
      "-a",
      "npm",
      "run",
      "test",
      "FOO=1",
      "sudo",
      "a.ts",
      "'b c'",
      "&&",
      ";",
      "|",
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const { patterns, always } = judge(words.join(" "))
        if (always.length === 0) return
        for (const pattern of patterns) expect(always.some((grant) => matchWildcard(grant, pattern))).toBe(true)
      }),
      drawn(),
    )
  })
})

/** Ways around a rule for `rm`. Each must be denied or asked, never allowed. */
const disguises = [
  "rm -rf x",
  "rm -rf -- x",
  "FOO=1 rm x",
  "r''m x",
  '"rm" x',
  "\\rm x",
  "$'rm' x",
  "$'\\x72m' x",
  "/bin/rm x",
  "ls; rm x",
  "ls && rm x",
  "ls || rm x",
  "ls | rm x",
  "ls & rm x",
  "ls\nrm x",
  "echo $(rm x)",
  "echo `rm x`",
  'echo "$(rm x)"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expansion of the shell
  "echo ${x:-$(rm x)}",
  "echo $((1+$(rm x)))",
  "cat <(rm x)",
  "cat <<EOF\n$(rm x)\nEOF",
  "(rm x)",
  "{ rm x; }",
  "if true; then rm x; fi",
  "while rm x; do :; done",
  "case a in a) rm x;; esac",
  "f() { rm x; }; f",
  "[[ -n $(rm x) ]]",
  "a=$(rm x)",
  "> out rm x",
  "! rm x",
  "time rm x",
  "coproc rm x",
  "sh -c 'rm x'",
  "bash -lc 'rm x'",
  'sh -c "$SCRIPT"',
  "eval rm x",
  "eval 'r'm x",
  "eval $X",
  "sudo rm x",
  "sudo -u root rm x",
  "env A=1 rm x",
  "env -i rm x",
  "command rm x",
  "exec rm x",
  "nohup rm x",
  "nice -n 5 rm x",
  "timeout 5 rm x",
  "timeout -k 1 5 rm x",
  "xargs rm",
  "ls | xargs -0 rm",
  "busybox rm x",
  "find . -delete",
  "find . -exec rm {} \\;",
  "find . -execdir rm {} +",
  "sudo env nohup rm x",
  "sh -c 'sh -c \"rm x\"'",
  "$(echo rm) x",
  "echo rm x | sh",
  "sh <<< 'rm x'",
  "bash -s <<EOF\nrm x\nEOF",
  "trap 'rm x' EXIT",
  "alias ls='rm x'; ls",
  "parallel rm ::: x",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expansion of the shell
  "${X}rm x",
  "/bin/r? x",
  "{rm,x}",
  "rm\tx",
  "r\\\nm x",
  "nice -5 rm x",
  "nice --adjustment 5 rm x",
  "nice --unheard-of rm x",
  "stdbuf -oL -e 0 rm x",
  "setsid -wf rm x",
  "exec -a name rm x",
  "exec -cla name rm x",
  "builtin command -p rm x",
  "xargs -n1 -I{} rm {}",
  "xargs -I % % x",
  "xargs -I% sh -c '% x'",
  "xargs sh -c",
  "xargs env",
  "xargs -i rm {}",
  "flock -w 5 lock rm x",
  "flock lock -c 'rm x'",
  "timeout -s KILL --kill-after 5 10 rm x",
  "env -i A=b -u X rm x",
  "env - rm x",
  "env -S 'rm x'",
  "sudo -u root -- rm x",
  "sudo -su root rm x",
  "echo rm x | sudo -s",
  "ionice -c 2 -n7 rm x",
  "chrt -r 5 rm x",
  "chrt --idle rm x",
  "taskset -c 0-3 rm x",
  "time -p rm x",
  "/usr/bin/time -f %e -o out rm x",
  "command -p rm x",
  "watch -n 5 rm x",
  "watch -n 5 'ls; rm x'",
  "parallel -j 2 'rm {}' ::: x",
  "parallel < list",
  "find . -exec sh -c 'rm x' \\;",
  "find . -exec {} \\;",
  "fd -x rm",
  "source <(echo rm x)",
  ". <(echo rm x)",
  ". /dev/stdin <<< 'rm x'",
  "bash <(echo rm x)",
  "bash /dev/stdin <<< 'rm x'",
  "bash -Ec 'rm x'",
  "bash -cl 'rm x'",
  "bash -c -e 'rm x'",
  "bash -c -o pipefail 'rm x'",
  "sh -c -- 'rm x'",
  "fish --command='rm x'",
  "eval -- 'rm x'",
  "trap -- 'rm x' EXIT",
  "su root -c 'rm x'",
  "script -qc 'rm x' log",
  "mapfile -C 'rm x' -c 1 lines",
  "hash -p /bin/rm ls; ls x",
  "cat <<EOF | bash\nrm x\nEOF",
  "fd -xrm",
  "fd --exec=rm",
  "toybox rm x",
  "unshare rm x",
  "unshare --net rm x",
  "nsenter -t 1 rm x",
  "pkexec rm x",
  "gosu root rm x",
  "systemd-run --user rm x",
  "dbus-run-session -- rm x",
  "pnpm exec rm x",
  "npm exec -- rm x",
  "poetry run rm x",
  "git bisect run rm x",
  "git submodule foreach 'rm x'",
  "git -c alias.x='!rm x' x",
  "let 'a[$(rm x)]'",
  "test -v 'a[$(rm x)]'",
  "[ -v 'a[$(rm x)]' ]",
  "printf -v 'a[$(rm x)]' b",
  "unset 'a[$(rm x)]'",
  "read 'a[$(rm x)]' <<< 1",
  "declare 'a[$(rm x)]=1'",
  "x='a[$(rm x)]'; echo $((x))",
  "PS4='$(rm x)'; set -x; ls",
  "export PS4='`rm x`'; set -x; ls",
  "compgen -C 'rm x'",
]

describe("rules for a command", () => {
  const rules: PermissionConfig = { bash: { "*": "allow", "rm *": "deny" } }

  it.each(disguises)("are not bypassed by %j", (source) => {
    const verdict = evaluateRequest({
      permission: "bash",
      patterns: judge(source).patterns,
      rules: rulesFromConfig(rules),
      grants: [],
    })
    expect(verdict.action).not.toBe("allow")
  })

  it.each([
    "nice -n 5 rm -rf x",
    "stdbuf -oL rm x",
    "setsid -w rm x",
    "exec -a name rm x",
    "xargs -n1 -I{} rm {}",
    "flock -w 5 lock rm x",
    "timeout -k 5 10 rm x",
    "env -i A=b -u X rm x",
    "sudo -u root rm x",
    "ionice -c 2 rm x",
    "chrt 5 rm x",
    "command -p rm x",
    "watch -n 5 rm x",
    "bash -Ec 'nice -n 5 rm x'",
    "eval -- 'rm x'",
  ])("deny what is behind the options of %j", (source) => {
    const question = { permission: "bash", patterns: judge(source).patterns, rules: rulesFromConfig(rules), grants: [] }
    expect(evaluateRequest(question).action).toBe("deny")
  })

  it.each([
    "git push",
    "git -C . push origin",
    "git --no-pager push",
    "git -P push",
    "git --git-dir=.git --work-tree . push",
    'git -C "$DIR" push',
    "/usr/bin/git -C . push",
    "timeout 5 git -C . push",
    "kubectl -n prod delete pod x",
    "npm --prefix web publish",
  ])("deny a sub-command behind the options of %j", (source) => {
    const permission = { bash: { "*": "allow", "git push *": "deny", "kubectl delete *": "deny" } } as const
    const rules = rulesFromConfig({ bash: { ...permission.bash, "npm publish *": "deny" } })
    const question = { permission: "bash", patterns: judge(source).patterns, rules, grants: [] }
    expect(evaluateRequest(question).action).toBe("deny")
  })

  it.each([
    "git -c core.sshCommand=x fetch",
    "git -c alias.p=push p",
    "git --exec-path=. x",
    "git --config-env=alias.p=X p",
    "git -C . $VERB",
  ])("ask for %j, which may be any sub-command", (source) => {
    const rules = rulesFromConfig({ bash: { "*": "allow", "git push *": "deny" } })
    const question = { permission: "bash", patterns: judge(source).patterns, rules, grants: [] }
    expect(evaluateRequest(question).action).toBe("ask")
  })

  it("are not bypassed by any chain of wrappers", () => {
    const quoted = (command: string) => `'${command.replaceAll("'", `'\\''`)}'`
    const words = ["nice -n 5", "nice -7", "stdbuf -oL -e0", "setsid -fw", "exec -a n", "timeout -k 5 10"]
    words.push("env -i A=b -u X", "sudo -nu root", "nohup", "ionice -c2 -n 7", "chrt -f 1", "time -p", "command -p")
    words.push("builtin", "xargs -0 -n1", "env", "taskset 3", "unbuffer -p")
    const wrappers: ((command: string) => string)[] = [
      ...words.map((wrapper) => (command: string) => `${wrapper} ${command}`),
      (command) => `bash -lc ${quoted(command)}`,
      (command) => `sh -ec -- ${quoted(command)}`,
      (command) => `eval ${quoted(command)}`,
      (command) => `flock -x lock -c ${quoted(command)}`,
      (command) => `watch -n1 ${quoted(command)}`,
      (command) => `find . -exec ${command} \\;`,
      (command) => `echo "$(${command})"`,
      (command) => `source <(${command})`,
      (command) => `( ${command} ) | cat`,
      (command) => `bash <<'EOF'\n${command}\nEOF\n`,
    ]
    const wrap = fc.constantFrom(...wrappers)
    const denied = fc.constantFrom("rm -rf x", "rm", "env FOO=1 rm x", "/bin/rm x", "\\rm 'x y'")
    fc.assert(
      fc.property(denied, fc.array(wrap, { maxLength: 7 }), (command, chain) => {
        const source = chain.reduce((inner, wrapper) => wrapper(inner), String(command))
        const question = {
          permission: "bash",
          patterns: judge(source).patterns,
          rules: rulesFromConfig(rules),
          grants: [],
        }
        expect(evaluateRequest(question).action, source).not.toBe("allow")
      }),
      drawn(2_000),
    )
  })

  it.each([
    "nice -n 5 make",
    "timeout -k 5 10 npm test",
    "command -v rm",
    "xargs -0 -n1 wc -l",
    "find . -name rm -exec wc {} +",
    "git log --oneline",
    "npm test 2>&1 | tail -5",
    "ls -la src",
    "grep -r rm .",
    "echo rm",
    "NODE_NO=1 node x.js",
    "git -C src --no-pager log -5",
    "git -c user.name=a commit -m 'call $(x)'",
    "npm --prefix web test",
    "echo 'a `b`'",
    "pnpm exec vitest run",
  ])("allow %j", (source) => {
    const verdict = evaluateRequest({
      permission: "bash",
      patterns: judge(source).patterns,
      rules: rulesFromConfig(rules),
      grants: [],
    })
    expect(verdict.action).toBe("allow")
  })

  it("never throw, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab $(){}'\"`\\|&;<>\n*?=~#!-[]") }), (source) => {
        expect(Array.isArray(judge(source).patterns)).toBe(true)
      }),
      drawn(3_000),
    )
  })
})
