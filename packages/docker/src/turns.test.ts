import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { sandboxLack } from "@docket/core/test/sandbox-fixture"
import { answer, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers } from "@docket/core/timers"
import { describe, expect, onTestFinished, test } from "vitest"
import { createDockerExecutor } from "./docker-executor.ts"
import { type EngineStandIn, startEngineStandIn } from "./test/engine-stand-in.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Turns in containers are not tried: ${lack}`)

/** A runtime whose commands run in containers, and whose agent makes these calls one after the other. */
async function runtimeWith(calls: { tool: string; input: Record<string, unknown> }[]) {
  const root = mkdtempSync(path.join(tmpdir(), "docket-turns-"))
  const engine: EngineStandIn = await startEngineStandIn(root)
  const results: string[] = []
  const deps = { home: root, env: process.env, platform: "linux", clock: Date.now, timers: nodeTimers }
  const executor = createDockerExecutor({
    ...deps,
    dataDirectory: path.join(root, "data"),
    configDirectory: path.join(root, "c"),
  })
  const host = await scriptedRuntime(
    (options) => {
      const told = toolResults(options)
      results.splice(0, results.length, ...told)
      const next = calls[told.length]
      return next === undefined ? answer("Done.") : answer("", next)
    },
    {
      config: {
        permission: "allow",
        sandbox: { executor: "docker", docker: { image: engine.image, host: engine.address } },
      },
      env: { PATH: process.env.PATH ?? "" },
      executors: [executor],
    },
  )
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    await engine.stop()
    rmSync(root, { recursive: true, force: true })
  })
  return { host, engine, results }
}

describe.skipIf(lack !== null)("a turn whose commands run in containers", () => {
  test("writes with its tools what its commands read", async () => {
    const { host, engine, results } = await runtimeWith([
      { tool: "write", input: { filePath: "a.txt", content: "from the tool\n" } },
      { tool: "bash", input: { command: "cat a.txt; echo more >> a.txt; echo $HOME" } },
      { tool: "bash", input: { command: "cat a.txt", outside_sandbox: "I want to" } },
    ])
    await host.prompt("Work")
    expect(results[1]).toContain("from the tool\n/home/docket")
    expect(results[2]).toMatch(/no command runs outside it/)
    expect(readFileSync(path.join(host.directory, "a.txt"), "utf8")).toBe("from the tool\nmore\n")
    const sessions = engine.created.map(({ Labels }) => Labels["docket.session"])
    expect(sessions).toEqual(["self-test", host.session.id])
  })

  test("goes on without the engine, and says what to do", async () => {
    const { host, engine, results } = await runtimeWith([
      { tool: "bash", input: { command: "echo begun" } },
      { tool: "read", input: { filePath: "a.txt" } },
    ])
    await engine.stop()
    await host.prompt("Work")
    expect(results[0]).toMatch(/container engine .* does not run\. Start it/)
    expect(results).toHaveLength(2)
  })

  test("leaves no container when it was stopped", async () => {
    const { host, engine } = await runtimeWith([{ tool: "bash", input: { command: "echo begun > begun; sleep 500" } }])
    const turn = host.prompt("Work")
    await expect.poll(() => read(path.join(host.directory, "begun"))).toBe("begun\n")
    await host.runtime.abort(host.session.id)
    await turn
    await expect.poll(() => engine.containers()).toEqual([])
  })
})

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}
