import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { type ExecutorSite, executorContract, openSite } from "@docket/core/contract/executor"
import { sandboxLack } from "@docket/core/test/sandbox-fixture"
import { nodeTimers } from "@docket/core/timers"
import { describe, expect, onTestFinished, test } from "vitest"
import { createDockerExecutor } from "./docker-executor.ts"
import { type EngineStandIn, startEngineStandIn } from "./test/engine-stand-in.ts"
import { realEngine } from "./test/real-engine.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Containers are not tried with the stand-in of an engine: ${lack}`)
const real = await realEngine()
if ("lack" in real) console.warn(`Containers are not tried with a real engine: ${real.lack}`)

async function standIn(): Promise<EngineStandIn> {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-engine-"))
  const engine = await startEngineStandIn(directory)
  onTestFinished(async () => {
    await engine.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return engine
}

function siteOf(docker: { host: string; image: string }): Promise<ExecutorSite> {
  return openSite(async (deps) => ({
    executor: createDockerExecutor({ ...deps, timers: nodeTimers }),
    config: { executor: "docker", docker, limits: { command: { processes: 200, memory: "1 GiB" } } },
  }))
}

async function standInSite(): Promise<ExecutorSite & { engine: EngineStandIn }> {
  const engine = await standIn()
  return { ...(await siteOf({ host: engine.address, image: engine.image })), engine }
}

describe.skipIf(lack !== null)("commands in containers of the stand-in", () => {
  executorContract(standInSite)
})

describe.skipIf("lack" in real)("commands in containers of a real engine", () => {
  executorContract(() => siteOf("lack" in real ? { host: "", image: "" } : real))
})

describe.skipIf(lack !== null)("containers", () => {
  test("have no rights, no network and no more than their limits", async () => {
    const { open, run, engine } = await standInSite()
    await run(open(), "true")
    expect(engine.created.at(-1)?.HostConfig).toMatchObject({
      ...{ CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"], NetworkMode: "none", IpcMode: "private" },
      ...{ ReadonlyRootfs: true, Privileged: false, Init: true, AutoRemove: true },
      ...{ Memory: 1024 ** 3, MemorySwap: 1024 ** 3, PidsLimit: 200 },
    })
  })

  test("are kept between commands until what they show changes", async () => {
    const { open, run, engine, project } = await standInSite()
    const place = open()
    await run(place, "true")
    const made = engine.created.length
    await run(place, "true", { timeout: 5_000 })
    expect(engine.created).toHaveLength(made)
    writeFileSync(path.join(project, "docket.json"), "{}")
    await run(place, "true")
    expect(engine.created).toHaveLength(made + 1)
  })

  test("belong to one session and end with its place", async () => {
    const { open, run, engine } = await standInSite()
    const [one, other] = [open("ses_1"), open("ses_2")]
    await run(one, "echo left > /tmp/left")
    expect((await run(other, "ls -A /tmp")).output.text).not.toContain("left")
    const sessions = () => engine.created.map(({ Labels }) => Labels["docket.session"])
    expect(sessions()).toEqual(["self-test", "ses_1", "ses_2"])
    await one.close()
    expect(engine.containers()).toHaveLength(1)
    await other.close()
    expect(engine.containers()).toEqual([])
  })

  test("end when their input does, as when the service dies", async () => {
    const engine = await standIn()
    const { executor, open, run } = await siteOf({ host: engine.address, image: engine.image })
    await run(open(), "true")
    expect(engine.containers()).toHaveLength(1)
    engine.loseClients()
    await expect.poll(() => engine.containers()).toEqual([])
    await executor.close()
  })

  test("that a killed service left are removed before the first command", async () => {
    const engine = await standIn()
    const left: string[] = []
    const site = await openSite(async (deps) => {
      const make = () => createDockerExecutor({ ...deps, timers: nodeTimers })
      const docker = { host: engine.address, image: engine.image }
      const killed = make()
      await killed.sandboxFor({ docker })?.state()
      const [body] = engine.created
      if (body === undefined) throw new Error("The self-test made no container.")
      left.push(engine.leave(body), engine.leave({ ...body, Labels: { "docket.owner": "another service" } }))
      return { executor: make(), config: { executor: "docker", docker } }
    })
    await site.run(site.open(), "true")
    expect(engine.containers().filter((id) => left.includes(id))).toEqual(left.slice(1))
  })

  test.each([
    [
      "POST /containers/create",
      404,
      "No such image: stand-in:1",
      /not on the container engine.*docker pull stand-in:1/,
    ],
    [
      "POST /containers/.*/start",
      500,
      "write /var/lib/x: no space left on device",
      /disk of the container engine is full/,
    ],
    [
      "POST /containers/.*/start",
      500,
      "invalid mount config: bind source path does not exist",
      /same machine as Docket/,
    ],
    ["POST /containers/create", 403, "authorization denied by plugin", /refused to start.*authorization denied/],
    ["GET /version", 400, "client version 1.41 is too new", /needs API 1.41/],
  ])("refused by %s %s say what to do", async (at, status, message, says) => {
    const { open, run, engine } = await standInSite()
    engine.refuse({ path: new RegExp(at), status, message })
    await expect(run(open(), "echo x > made")).rejects.toThrow(says)
    engine.refuse(null)
    expect((await run(open(), "ls made")).exit).not.toBe(0)
  })

  test("of an engine that is gone run nothing, and say so", async () => {
    const { open, run, engine } = await standInSite()
    await engine.stop()
    await expect(run(open(), "true")).rejects.toThrow(/does not run\. Start it/)
  })

  test("whose engine stops during a command fail with what is known", async () => {
    const { open, run, engine } = await standInSite()
    const place = open()
    let stopping: Promise<void> | null = null
    const onOutput = (output: string) => {
      if (output.includes("begun")) stopping ??= engine.stop()
    }
    await expect(run(place, "echo begun > begun; echo begun; sleep 500", { onOutput })).rejects.toThrow(
      /look before you repeat it/,
    )
    await stopping
  })

  test("without an image start no command", async () => {
    const site = await openSite(async (deps) => ({
      executor: createDockerExecutor({ ...deps, timers: nodeTimers }),
      config: { executor: "docker" },
    }))
    await expect(site.run(site.open(), "true")).rejects.toThrow(/no image is named/)
  })

  test("that do not hold what they must are refused", async () => {
    const engine = await standIn()
    engine.weaken()
    const { open, run } = await siteOf({ host: engine.address, image: engine.image })
    await expect(run(open(), "true")).rejects.toThrow(/none to rely on.*make every call of the kernel/)
  })
})
