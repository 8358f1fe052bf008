import { hostname } from "node:os"
import type { CreateId, OneProcess } from "@docket/core"
import packageJson from "../package.json" with { type: "json" }
import { createProcessUse } from "./nodes/process-use.ts"

/** This process, as the only node of the service. */
export function oneProcess(createID: CreateId, clock: () => number): OneProcess {
  const { version } = packageJson
  const used = createProcessUse()
  const use = () => ({ ...used(), lag: null })
  return { id: createID("node"), host: hostname(), version, pid: process.pid, started: clock(), use }
}
