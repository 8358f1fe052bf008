import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { evaluateRequest, rulesFromConfig } from "../../ground/rule/index.ts"
import { analyseScript } from "./command-analysis.ts"
import { commandPatterns } from "./command-patterns.ts"
import { createSandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Lines that slip past the rules are not run: ${lack}`)

/** Lines whose effect no rule for `cat`, `bash` and the like can detect: each runs `payload.sh` by another program. */
const slips = [
  ["sh", "sh payload.sh"],
  ["bash", "bash ./payload.sh"],
  ["bash", "./payload.sh"],
  ["bash", ". ./payload.sh"],
  ["env", "env sh payload.sh"],
  ["setsid", "setsid -w sh payload.sh"],
  ["nohup", "nohup sh payload.sh & wait"],
  ["make", "make -f evil.mk"],
  ["python3", "python3 evil.py"],
  ["python3", `python3 -c 'import os; os.system("sh payload.sh")'`],
  ["node", "node evil.mjs"],
  ["perl", `perl -e 'system("sh payload.sh")'`],
  ["awk", `awk 'BEGIN { system("sh payload.sh") }'`],
  ["sed", "sed -n '1e sh payload.sh' a.txt"],
  ["tar", "tar -cf x.tar a.txt --checkpoint=1 --checkpoint-action=exec='sh payload.sh'"],
  ["zip", "zip -q x.zip a.txt -T -TT 'sh payload.sh;true'"],
  ["vim", "vim -es -u NONE -c '!sh payload.sh' -c 'qa!'"],
  ["gcc", "gcc -wrapper sh,payload.sh -c evil.c"],
  ["sqlite3", "sqlite3 x.db '.shell sh payload.sh'"],
  ["ssh", "ssh -oProxyCommand='sh payload.sh' nowhere"],
  ["split", "split --filter='sh payload.sh' a.txt"],
] as const

function writePrograms(fixture: ReturnType<typeof createSandboxFixture>, port: number): void {
  const key = path.join(fixture.home, ".ssh", "id_ed25519")
  mkdirSync(path.dirname(key))
  writeFileSync(key, "PRIVATE KEY")
  writeFileSync(path.join(fixture.outside, "other.txt"), "another project")
  fixture.write(
    "payload.sh",
    `#!/bin/bash
cd ${fixture.project}
echo ran >>ran
for file in ${fixture.data}/token ${key} ${fixture.outside}/other.txt /proc/1/environ /etc/shadow; do cat $file >>stolen; done
for place in ${fixture.outside}/made ${fixture.home}/.bashrc .git/hooks/pre-commit .docket/agents/evil.md /etc/evil; do echo evil >$place; done
timeout 5 bash -c 'echo x >/dev/tcp/127.0.0.1/${port}'
timeout 5 bash -c 'echo x >/dev/udp/127.0.0.1/${port}'
exit 0
`,
  )
  chmodSync(path.join(fixture.project, "payload.sh"), 0o755)
  fixture.write(".docket/agents/mine.md", "mine")
  fixture.write("evil.mk", "all:\n\tsh payload.sh </dev/null\n")
  fixture.write("evil.py", 'import subprocess\nsubprocess.run(["sh", "payload.sh"])\n')
  fixture.write("evil.mjs", 'import { spawnSync } from "node:child_process"\nspawnSync("sh", ["payload.sh"])\n')
  fixture.write("evil.c", "int main(void) { return 0; }\n")
  fixture.write("a.txt", "a\n")
  fixture.write("big.txt", "abcdefgh\n".repeat(20_000))
}

describe.skipIf(lack !== null)("a line that bypasses every rule", () => {
  test("writes nothing outside, reads no token and reaches no network", async () => {
    const reached: string[] = []
    const server = createServer((socket) => {
      reached.push("connected")
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const fixture = createSandboxFixture()
    writePrograms(fixture, typeof address === "object" && address ? address.port : 0)
    const rules = rulesFromConfig({ bash: { "*": "allow", "cat *": "deny", "echo *": "deny" } })
    let ran = 0
    for (const [program, line] of slips) {
      const { patterns } = commandPatterns(analyseScript(line))
      expect(evaluateRequest({ permission: "bash", patterns, rules, grants: [] }).action, line).toBe("allow")
      const output = await fixture.run(`rm -f ran stolen; command -v ${program} >/dev/null || echo missing; ${line}`, {
        timeout: 20_000,
      })
      if (output.startsWith("missing")) continue
      expect(existsSync(path.join(fixture.project, "ran")), `${line}\n${output}`).toBe(true)
      ran++
      const stolen = fixture.read("stolen")
      expect(stolen + output, line).not.toMatch(/the token|PRIVATE KEY|another project|DOCKET|root:/)
      expect(existsSync(path.join(fixture.outside, "made")), line).toBe(false)
      expect(existsSync(path.join(fixture.home, ".bashrc")), line).toBe(false)
      expect(existsSync(path.join(fixture.project, ".git", "hooks", "pre-commit")), line).toBe(false)
      expect(existsSync(path.join(fixture.project, ".docket", "agents", "evil.md")), line).toBe(false)
      expect(reached, line).toEqual([])
    }
    // With fewer, hardly any of these programs is installed and the test proves little.
    expect(ran).toBeGreaterThanOrEqual(10)
  })
})
