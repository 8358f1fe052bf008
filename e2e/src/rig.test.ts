import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { type Cluster, startCluster } from "./rig/cluster.ts"
import { playRow } from "./rig/play-row.ts"
import { allRows } from "./rig/rows/all-rows.ts"

const full = inject("full")
if (!full) console.log("rig: nodes are only broken with DOCKET_TEST_FULL=1.")

describe.runIf(full)("nodes survive", () => {
  let logs = ""
  let cluster: Cluster | string = "it was not started"
  beforeAll(async () => {
    logs = await mkdtemp(path.join(tmpdir(), "docket-rig-logs-"))
    // The web app may be built at the same time.
    cluster = await startCluster({ logs, hasPages: false })
  })
  afterAll(async () => {
    if (typeof cluster !== "string") await cluster.close()
    await rm(logs, { recursive: true, force: true })
  })

  test.for(allRows)("$about", async (row, { skip }) => {
    if (typeof cluster === "string") return skip(cluster)
    const folder = path.resolve(import.meta.dirname, "../../test-results/rig")
    const results = await playRow(cluster, row, { rounds: 2, seed: inject("seed"), folder })
    expect(results.flatMap(({ faults }) => faults)).toEqual([])
  })
})
