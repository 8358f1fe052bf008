import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { initTeam } from "./init-team.ts"

async function newData(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-init-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  return path.join(directory, "data")
}

it("writes the address for nobody else to read, and leaves what else is set", async () => {
  const data = await newData()
  expect(await initTeam(data, "https://docket.example.org/")).toContain(`docket serve --data ${data}\n`)
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

it("names the port of an address of this machine", async () => {
  const data = await newData()
  expect(await initTeam(data, "http://localhost:5318")).toContain(`docket serve --data ${data} --port 5318`)
})

it("says what is wrong with an address, and with settings that cannot be read, and changes nothing", async () => {
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
