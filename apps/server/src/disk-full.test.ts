import { execFileSync } from "node:child_process"
import { closeSync, openSync, writeSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type RecordingProvider, startRecordingProvider } from "./test/recording-provider.ts"
import { type ServiceProcess, startServiceProcess } from "./test/service-process.ts"
import { isIdle, newSession, prompt, send, transcript } from "./test/service-sessions.ts"

const noDisk = whyNoDisk()
if (noDisk !== null) console.warn(`The tests of a full disk are skipped: ${noDisk}`)

let home: string
let project: string
let disk: string
let provider: RecordingProvider
const services = new Set<ServiceProcess>()

beforeEach(async () => {
  if (noDisk !== null) return
  home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-disk-")))
  project = path.join(home, "project")
  disk = path.join(home, "disk")
  await mkdir(project)
  await mkdir(disk)
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", disk])
  provider = await startRecordingProvider(400)
  await provider.configure(home)
})
afterEach(async () => {
  if (noDisk !== null) return
  for (const service of services) await service.kill()
  services.clear()
  await provider.stop()
  execFileSync("umount", [disk])
  await rm(home, { recursive: true, force: true })
})

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess({ home, data: path.join(disk, "data"), project })
  services.add(service)
  return service
}

/** Fills the disk completely. Returns a function that frees it. */
function fill(): () => Promise<void> {
  const file = path.join(disk, "filler")
  const descriptor = openSync(file, "w")
  try {
    for (const size of [65_536, 512, 1]) writeAll(descriptor, Buffer.alloc(size))
  } finally {
    closeSync(descriptor)
  }
  return () => rm(file)
}

function writeAll(descriptor: number, chunk: Buffer): void {
  try {
    while (true) writeSync(descriptor, chunk)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error
  }
}

it.skipIf(noDisk !== null)("a full disk ends the turn; the session continues with free space", async () => {
  const service = await start()
  const id = await newSession(service, project)
  await send(service, id, "first")
  await send(service, id, "second")
  await expect.poll(() => provider.calls.length).toBeGreaterThan(0)
  const free = fill()
  await expect.poll(() => service.log()).toContain("could not be stored")
  await expect(send(service, id, "refused")).rejects.toThrow("The disk with the data directory is full")
  await free()
  await expect.poll(() => isIdle(service, id)).toBe(true)
  expect((await prompt(service, id, "third")).status).toBe("completed")
  const { prompts, errors, open } = await transcript(service, id)
  expect(prompts).toEqual(["first", "second", "third"])
  expect(errors).toEqual([expect.stringContaining("The disk with the data directory is full")])
  expect(open).toBe(0)
  expect(service.log().match(/could not be stored/g)).toHaveLength(1)
})

it.skipIf(noDisk !== null)("Stop works on a full disk; a crash afterwards revives nothing", async () => {
  const service = await start()
  const id = await newSession(service, project)
  await send(service, id, "first")
  await send(service, id, "second")
  await expect.poll(() => provider.calls.length).toBeGreaterThan(0)
  const free = fill()
  await expect(service.mutate("session.abort", { sessionID: id })).rejects.toThrow("cannot be stored yet")
  await expect.poll(() => provider.calls.every(({ ended }) => ended !== null)).toBe(true)
  const asked = provider.calls.length
  await service.kill()
  await free()
  const again = await start()
  await expect.poll(() => isIdle(again, id)).toBe(true)
  expect((await transcript(again, id)).prompts).toEqual(["first"])
  expect(provider.calls).toHaveLength(asked)
  expect((await prompt(again, id, "third")).status).toBe("completed")
})

/** Why no small disk can be mounted; null when it can. */
function whyNoDisk(): string | null {
  if (process.platform !== "linux") return "tmpfs is there on Linux only"
  if (process.getuid?.() !== 0) return "only root may mount one"
  try {
    execFileSync("unshare", ["--mount", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"], { stdio: "pipe" })
    return null
  } catch (error) {
    return String(error)
  }
}
