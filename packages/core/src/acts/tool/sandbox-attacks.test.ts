import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { createServer, type Server } from "node:net"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { commandProcesses } from "./process-group.ts"
import { createSandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Attacks on the sandbox are not tried: ${lack}`)

/** Serves until the test has ended and counts the connections. */
async function listening(at: { path: string } | { host: string }): Promise<{ port: number; connections(): number }> {
  let count = 0
  const server: Server = createServer((socket) => {
    count++
    socket.end("HTTP/1.1 200 OK\r\n\r\nsecret")
  })
  await new Promise<void>((resolve) => server.listen({ ...at, port: "host" in at ? 0 : undefined }, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === "object" && address ? address.port : 0, connections: () => count }
}

describe.skipIf(lack !== null)("in the sandbox a command", () => {
  test("changes the project and keeps home and /tmp for later commands", async () => {
    const fixture = createSandboxFixture()
    await fixture.run("echo new > made.txt; echo cached > ~/cache; echo between > /tmp/between")
    expect(fixture.read("made.txt")).toBe("new\n")
    expect(await fixture.run("cat ~/cache /tmp/between")).toBe("cached\nbetween\n[exit code 0]")
    expect(existsSync(path.join(fixture.home, "cache"))).toBe(false)
  })

  test("neither sees nor changes other projects, the home's secrets or Docket's data", async () => {
    const fixture = createSandboxFixture()
    const key = path.join(fixture.home, ".ssh", "id_ed25519")
    mkdirSync(path.dirname(key))
    writeFileSync(key, "PRIVATE KEY")
    writeFileSync(path.join(fixture.home, ".netrc"), "machine example.org password hunter2")
    writeFileSync(path.join(fixture.outside, "other.txt"), "another project")
    const output = await fixture.run(
      `cat ${key} ~/.netrc ${fixture.data}/token ${fixture.outside}/other.txt; ls -A ${fixture.data}; echo x > ${fixture.outside}/made`,
    )
    expect(output).not.toMatch(/PRIVATE KEY|hunter2|the token|another project/)
    expect(existsSync(path.join(fixture.outside, "made"))).toBe(false)
    expect(await fixture.run("find / -xdev -name id_ed25519 -o -name token 2>/dev/null")).not.toContain("id_ed25519")
  })

  test("cannot change the system, not even as root", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run(
      "for file in /usr/bin/x /etc/x /x /proc/sys/kernel/hostname /proc/sysrq-trigger; do (echo x > $file) 2>/dev/null && echo wrote $file; done; cat /etc/shadow 2>/dev/null | head -1; echo done",
    )
    expect(output).toBe("done\n[exit code 0]")
  })

  test("reads no environment but that of its own processes", async () => {
    const fixture = createSandboxFixture()
    process.env.DOCKET_PLANTED = "a-secret-of-the-service"
    onTestFinished(() => void Reflect.deleteProperty(process.env, "DOCKET_PLANTED"))
    const output = await fixture.run(
      `cat /proc/*/environ | tr '\\0' '\\n' | grep -c planted; ls -d /proc/${process.pid}; ls -d /proc/[0-9]* | wc -l`,
    )
    expect(output).not.toContain("a-secret-of-the-service")
    const seen = Number(/^(\d+)\n\[/m.exec(output)?.[1])
    expect(seen).toBeLessThan(10)
  })

  test("does not get variables that load code or name services", async () => {
    const fixture = createSandboxFixture()
    const env = {
      LD_PRELOAD: "/tmp/evil.so",
      NODE_OPTIONS: "--require /tmp/evil.js",
      GIT_DIR: "/tmp/evil.git",
      GIT_SSH_COMMAND: "evil",
      BASH_ENV: "/tmp/evil.sh",
      SSH_AUTH_SOCK: "/run/agent",
      DOCKER_HOST: "unix:///run/docker.sock",
      OPENAI_API_KEY: "sk-1",
    }
    const output = await fixture.run("env", { env })
    for (const name of Object.keys(env)) expect(output).not.toContain(`${name}=`)
  })

  test("receives only the usual variables and those named in sandbox.env", async () => {
    const fixture = createSandboxFixture()
    const env = { WORK_LOGIN: "hunter2", AWS_PROFILE: "work", LC_TIME: "C" }
    const seen = async () => (await fixture.run("env", { env })).split("\n")
    expect(await seen()).toContain("LC_TIME=C")
    expect((await seen()).filter((line) => /^(?:WORK|AWS)_/.test(line))).toEqual([])
    fixture.configure({ mode: "required", env: ["AWS_PROFILE"] })
    fixture.context.variables = async () => ({ named: ["AWS_PROFILE"], withheld: [], isShared: false })
    expect((await seen()).filter((line) => /^(?:WORK|AWS)_/.test(line))).toEqual(["AWS_PROFILE=work"])
  })

  test("has no keyrings, BPF, performance events or sockets to the host", async () => {
    const fixture = createSandboxFixture()
    const calls =
      process.arch === "arm64"
        ? { keyctl: 219, add_key: 217, request_key: 218, bpf: 280, perf_event_open: 241, userfaultfd: 282 }
        : { keyctl: 250, add_key: 248, request_key: 249, bpf: 321, perf_event_open: 298, userfaultfd: 323 }
    const numbers = Object.values(calls).join(",")
    const output = await fixture.run(
      `perl -e 'for (${numbers}) { syscall($_, 0, 0, 0, 0, 0); print $!+0, " " } socket(S, 40, 1, 0); print $!+0'`,
    )
    expect(output).toBe("1 1 1 1 1 1 97\n[exit code 0]")
  })

  test("cannot change git hooks and settings, Docket's configuration or shell start files", async () => {
    const fixture = createSandboxFixture()
    fixture.write("docket.json", "{}")
    fixture.write(".docket/agents/build.md", "mine")
    fixture.write(".bashrc", "mine")
    const settings = fixture.read(".git/config")
    const targets =
      ".git/hooks/pre-commit .git/config docket.json .docket/agents/build.md .docket/agents/evil.md .bashrc"
    const output = await fixture.run(
      `for file in ${targets}; do (echo evil > $file) 2>/dev/null && echo wrote $file
mv $file moved 2>/dev/null && echo moved $file; done
for place in .git .git/hooks .docket; do mv $place away 2>/dev/null && echo moved $place; done
git config core.fsmonitor evil; git config core.hooksPath evil; rm -rf .git/hooks .docket .bashrc; echo done`,
    )
    expect(output).not.toMatch(/^(wrote|moved)/m)
    expect(fixture.read(".git/config")).toBe(settings)
    expect(fixture.read(".docket/agents/build.md") + fixture.read(".bashrc") + fixture.read("docket.json")).toBe(
      "minemine{}",
    )
  })

  test("cannot point git to other settings, in the project or a worktree", async () => {
    const fixture = createSandboxFixture()
    const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    fixture.git(...author, "commit", "-q", "--allow-empty", "-m", "First")
    fixture.git("config", "extensions.worktreeConfig", "true")
    fixture.git("worktree", "add", "-q", path.join(fixture.outside, "linked"))
    const started = path.join(fixture.outside, "started")
    fixture.write("evil/program", `#!/bin/sh\ntouch ${started}\n`)
    await fixture.run(`chmod +x evil/program; cp -r .git/objects .git/refs .git/HEAD evil/
printf '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = %s\\n' "$PWD/evil/program" | tee evil/config > .git/config.worktree
echo "$PWD/evil" > .git/commondir; echo "$PWD/evil" > .git/worktrees/linked/commondir; cp evil/config .git/worktrees/linked/config.worktree`)
    expect(fixture.read("evil/config")).toContain("fsmonitor")
    fixture.git("status", "--short")
    fixture.git("-C", path.join(fixture.outside, "linked"), "status", "--short")
    expect(existsSync(started)).toBe(false)
    expect(fixture.read(".git/worktrees/linked/commondir").trim()).toBe("../..")
  })

  test("can still commit", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run(
      "echo a > a.txt && git add a.txt && git -c user.name=A -c user.email=a@example.org commit -qm First && git log --oneline | wc -l",
    )
    expect(output).toBe("1\n[exit code 0]")
  })

  test("creates no hooks where there were none", async () => {
    const fixture = createSandboxFixture()
    renameSync(path.join(fixture.project, ".git", "hooks"), path.join(fixture.outside, "hooks"))
    await fixture.run("echo evil > .git/hooks/pre-commit; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout")
    expect(existsSync(path.join(fixture.project, ".git", "hooks", "pre-commit"))).toBe(false)
    expect(existsSync(path.join(fixture.project, ".git", "hooks", "post-checkout"))).toBe(false)
  })

  test("cannot escape through links, even one that later replaces a guarded file", async () => {
    const fixture = createSandboxFixture()
    const secret = path.join(fixture.home, ".ssh")
    mkdirSync(secret)
    writeFileSync(path.join(secret, "key"), "PRIVATE KEY")
    symlinkSync(path.join(secret, "key"), path.join(fixture.project, "link"))
    expect(await fixture.run("cat link; cat .docket/key")).not.toContain("PRIVATE KEY")
    await fixture.run(`ln -s ${secret} .docket; ln -s ${secret}/key docket.json; mkdir -p ~/.ssh`)
    expect(await fixture.run(`cat .docket/key docket.json ~/.ssh/key; ls ~/.ssh`)).not.toContain("PRIVATE KEY")
  })

  test("cannot escape while another command keeps swapping a file for a link", async () => {
    const fixture = createSandboxFixture()
    const secret = path.join(fixture.home, ".ssh")
    mkdirSync(secret)
    writeFileSync(path.join(secret, "key"), "PRIVATE KEY")
    const swapping = fixture.run(
      `mkdir -p ~/.ssh; while :; do mkdir .docket; touch swapping; rmdir .docket; ln -s ${secret} .docket; rm .docket; done 2>/dev/null`,
    )
    const stopped = expect(swapping).rejects.toThrow("stopped")
    while (!existsSync(path.join(fixture.project, "swapping"))) await new Promise(setImmediate)
    // The command that swaps the files is stopped by its own signal, not by that of the reader.
    const reader = { ...fixture.context, signal: new AbortController().signal }
    for (let round = 0; round < 15; round++) {
      const command = `cat .docket/key ${secret}/key ~/.ssh/key; ls -R .docket ~/.ssh`
      const output = await fixture.run(command, { context: reader }).catch(String)
      expect(output).not.toMatch(/PRIVATE KEY|key$/m)
    }
    fixture.abort.abort()
    await stopped
  })

  test("gains access to no other place by writing into .git", async () => {
    const fixture = createSandboxFixture()
    const other = path.join(fixture.outside, ".git")
    mkdirSync(path.join(other, "worktrees", "x"), { recursive: true })
    writeFileSync(path.join(other, "secret"), "another repository")
    renameSync(path.join(fixture.project, ".git"), path.join(fixture.outside, "moved"))
    await fixture.run(`echo "gitdir: ${other}/worktrees/x" > .git`)
    expect(await fixture.run(`cat ${other}/secret; ls ${other}`)).not.toContain("another repository")
  })

  test("reaches no service of this machine, no host and no name server", async () => {
    const fixture = createSandboxFixture()
    const service = await listening({ host: "127.0.0.1" })
    const output = await fixture.run(
      `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${service.port} && cat <&3'; bash -c 'exec 3<>/dev/tcp/192.0.2.1/80'
bash -c 'echo x > /dev/udp/192.0.2.53/53' && echo asked; getent hosts example.org; echo done`,
    )
    expect(output).not.toMatch(/secret|^asked/m)
    expect(service.connections()).toBe(0)
  })

  test("reaches no socket of the machine, by path or by abstract name", async () => {
    const fixture = createSandboxFixture()
    const socket = path.join(fixture.outside, "docker.sock")
    const abstract = `\0docket-test-${process.pid}`
    const services = [await listening({ path: socket }), await listening({ path: abstract })]
    fixture.write(
      "connect.mjs",
      `import { connect } from "node:net"
for (const path of [${JSON.stringify(socket)}, "\\0" + ${JSON.stringify(abstract.slice(1))}, "/run/docker.sock", "/var/run/docker.sock"])
  await new Promise((resolve) => connect({ path }, () => { console.log("connected"); resolve() }).on("error", resolve))
console.log("tried")`,
    )
    const output = await fixture.run(`${process.execPath} connect.mjs || node connect.mjs`)
    expect(output).toContain("tried")
    expect(output).not.toContain("connected")
    expect(services.map((service) => service.connections())).toEqual([0, 0])
  })

  test("leaves no process running, however hidden", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run(
      `setsid nohup env -i /bin/sh -c 'echo $$ > daemon; exec -a kworker sleep 300' >/dev/null 2>&1 &
(setsid sh -c 'while :; do date +%N > beat; done' >/dev/null 2>&1 &) ; while ! [ -s daemon ] || ! [ -s beat ]; do :; done; echo started`,
    )
    expect(output).toBe("started\n[exit code 0]")
    const before = fixture.read("beat")
    expect(await commandProcesses(null, fixture.context.sessionID)).toEqual([])
    expect(fixture.read("beat")).toBe(before)
  })

  test("harms only itself when it kills all that it sees", async () => {
    const fixture = createSandboxFixture()
    // Runs only inside the sandbox, never on the machine itself.
    const isInside = '[ "$(cat /proc/1/comm)" = bwrap ]'
    expect(await fixture.run(`sleep 300 & ${isInside} && kill -9 -1; echo still here`)).toMatch(/exit code/)
    expect(await fixture.run("echo next")).toBe("next\n[exit code 0]")
  })

  test("makes no namespaces, mounts nothing and traces no process of the machine", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run(
      `unshare -Ur true 2>/dev/null && echo unshared; mount -o remount,rw / 2>/dev/null && echo remounted
mount -o remount,rw /usr 2>/dev/null && echo remounted; umount .git/hooks 2>/dev/null && echo unmounted
mount -t tmpfs none /mnt 2>/dev/null && echo mounted; chroot / true 2>/dev/null && echo chrooted
grep -i capeff /proc/self/status; kill -0 ${process.pid} 2>/dev/null && echo found; echo done`,
    )
    expect(output).not.toMatch(/unshared|mounted|chrooted|found/)
    expect(output).toContain("CapEff:\t0000000000000000")
  })

  test("gets no open file of the service", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run("for fd in /proc/self/fd/*; do [ -d $fd/. ] && readlink $fd; done; echo done")
    expect(output.replace(/^\/proc\/.*\n/gm, "")).toBe("done\n[exit code 0]")
  })

  test("does not see hidden places and can change the places allowed", async () => {
    const fixture = createSandboxFixture({}, ({ project, outside }) => ({
      write: [outside],
      hide: ["secrets", "deep/er/key.pem"].map((name) => path.join(project, name)),
    }))
    fixture.write("secrets/key", "hidden text")
    fixture.write("deep/er/key.pem", "hidden text")
    await fixture.run(`echo x > ${fixture.outside}/made`)
    expect(readFileSync(path.join(fixture.outside, "made"), "utf8")).toBe("x\n")
    expect(await fixture.run("cat secrets/key deep/er/key.pem; mv deep moved; cp -r deep copy")).not.toContain(
      "hidden text",
    )
    expect(await fixture.run("cat moved/er/key.pem copy/er/key.pem")).not.toContain("hidden text")
  })
})

const hasCurl = spawnSync("curl", ["--version"]).status === 0
if (!hasCurl) console.warn("Hosts that the sandbox allows are not tried: curl is not installed")

describe.skipIf(lack !== null || !hasCurl)("with hosts that the user allows, a command", () => {
  test("reaches these, with the address that was looked up, and no other", async () => {
    const service = await serving("the allowed service")
    const other = await serving("another service")
    const fixture = createSandboxFixture({}, () => ({ network: { allow: [`localhost:${service.port}`] } }))
    onTestFinished(() => fixture.sandbox.close())
    const get = (url: string) => `curl -sS -m 20 --noproxy '' ${url}; echo`
    const output = await fixture.run(
      [
        get(`http://localhost:${service.port}/`),
        get(`-p http://localhost:${service.port}/tunnelled`),
        get(`http://localhost:${other.port}/`),
        get(`http://127.0.0.1:${service.port}/`),
        get("https://example.invalid/"),
        `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${service.port}/`,
      ].join("\n"),
    )
    expect(output.match(/the allowed service/g)).toHaveLength(2)
    expect(output).not.toContain("another service")
    expect(output).toContain(`does not let commands reach localhost:${other.port}`)
    expect(output).toMatch(/\[sandbox: .*these hosts were refused: .*example\.invalid/)
    expect(service.requests()).toEqual(["/", "/tunnelled"])
    expect(other.requests()).toEqual([])
  })

  test("loses access once the list excludes a host", async () => {
    const service = await serving("the allowed service")
    let allow = [`localhost:${service.port}`]
    const fixture = createSandboxFixture()
    onTestFinished(() => fixture.sandbox.close())
    const get = `curl -sS -m 20 --noproxy '' http://localhost:${service.port}/`
    fixture.configure({ mode: "required", network: { allow } })
    expect(await fixture.run(get)).toContain("the allowed service")
    allow = []
    fixture.configure({ mode: "required", network: { allow } })
    expect(await fixture.run(get)).not.toContain("the allowed service")
  })
})

describe("the same commands without the sandbox", () => {
  test("reach, read and write what the sandbox blocks: only rules apply", async () => {
    const fixture = createSandboxFixture()
    fixture.configure({ mode: "off" })
    const service = await serving("a service of this machine")
    const output = await fixture.run(
      `cat ${fixture.data}/token; echo; bash -c 'exec 3<>/dev/tcp/127.0.0.1/${service.port} && echo connected'; echo x > .git/hooks/made`,
    )
    expect(output).toMatch(/the token of the service\nconnected/)
    expect(existsSync(path.join(fixture.project, ".git", "hooks", "made"))).toBe(true)
  })
})

/** An HTTP server on this machine. */
async function serving(text: string): Promise<{ port: number; requests(): string[] }> {
  const requests: string[] = []
  const server = createHttpServer((request, response) => {
    requests.push(request.url ?? "")
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === "object" && address ? address.port : 0, requests: () => requests }
}
