import { hostname } from "node:os"
import type { CreateId, OneProcess } from "@docket/core"
import packageJson from "../package.json" with { type: "json" }

/** This process, as the only node of the service. */
export function oneProcess(createID: CreateId, clock: () => number): OneProcess {
  const { version } = packageJson
  return { id: createID("node"), host: hostname(), version, pid: process.pid, started: clock() }
}
