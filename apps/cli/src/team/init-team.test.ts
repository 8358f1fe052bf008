import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { serverProgram } from "../server-program.ts"
import { initTeam } from "./init-team.ts"

async function newData(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-init-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  return path.join(directory, "data")
}

it("docket team init writes the address privately and keeps other settings", async () => {
  const data = await newData()
  expect(await initTeam(data, "https://docket.example.org/")).toContain(
    "set up for a team at https://docket.example.org.",
  )
  const file = path.join(data, "team.json")
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(data)).mode & 0o777).toBe(0o700)
  await writeFile(
    file,
    JSON.stringify({ url: "https://docket.example.org", github: { clientId: "a", clientSecret: "b" } }),
  )
  await initTeam(data, "https://team.example.org")
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    url: "https://team.example.org",
    github: { clientId: "a", clientSecret: "b" },
  })
})

it.each([
  [
    "https://docket.example.org",
    ["--trust-proxy 127.0.0.1", "--host 0.0.0.0 --port 443 --tls-cert FILE --tls-key FILE"],
  ],
  [
    "https://docket.example.org:8443",
    ["--trust-proxy 127.0.0.1", "--host 0.0.0.0 --port 8443 --tls-cert FILE --tls-key FILE"],
  ],
  ["http://localhost:5318", ["--port 5318"]],
  ["http://[::1]:5318", ["--host ::1 --port 5318"]],
  ["http://docket.lan", ["--host 0.0.0.0 --port 80 --insecure-http"]],
])("docket team init names options that start a service for %s", async (url, expected) => {
  const data = await newData()
  const words = await initTeam(data, url)
  const printed = words.split("\n").flatMap((line) => new RegExp(` serve --data ${data} (.*)$`).exec(line)?.[1] ?? [])
  expect(printed).toEqual(expected)
  for (const options of printed.filter((each) => !each.includes("FILE"))) await expectStart(data, options)
})

/** Starts the real service with these options, on a free local port. */
async function expectStart(data: string, options: string): Promise<void> {
  const given = options.split(" ").map((word) => (word === "0.0.0.0" ? "127.0.0.1" : word))
  const args = ["--data", data, ...given, "--port", "0", "--no-web", "--json"]
  const env = { PATH: process.env.PATH, HOME: path.dirname(data) }
  const service = spawn(process.execPath, [serverProgram, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void service.kill("SIGKILL"))
  let said = ""
  service.stderr.on("data", (chunk) => {
    said += chunk
  })
  const [first] = await Promise.race([once(service.stdout, "data"), once(service, "exit").then(() => [said])])
  expect(JSON.parse(String(first))).toMatchObject({ url: expect.any(String) })
}

it("docket team init changes nothing for wrong addresses or unreadable settings", async () => {
  const data = await newData()
  for (const url of [
    "docket.example.org",
    "https://docket.example.org/path",
    "ftp://x.org",
    "https://a@x.org",
    "https://x.org/?q",
  ])
    await expect(initTeam(data, url)).rejects.toThrow("--url is like https://docket.example.org")
  await expect(initTeam(data, undefined)).rejects.toThrow("--url https://docket.example.org")
  await initTeam(data, "https://x.org")
  await writeFile(path.join(data, "team.json"), "{ half")
  await expect(initTeam(data, "https://y.org")).rejects.toThrow("is not JSON")
  expect(await readFile(path.join(data, "team.json"), "utf8")).toBe("{ half")
})
