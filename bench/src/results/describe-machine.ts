import os from "node:os"
import type { Results } from "./results.ts"

export function describeMachine(): Results["machine"] {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model.trim() ?? "unknown",
    cores: cpus.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    load: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
  }
}
