import { openNodeLinks } from "../open-links.ts"

// A node that never ends its work. It tells its parent when it serves, and which trees and duties it gets.
const [url = ""] = process.argv.slice(2)
const { engine, duties } = await openNodeLinks({ url, now: () => performance.now(), onError: console.error })
await engine.serve({
  ...{ places: ["host:two"], capacity: 1 },
  work({ rootID }) {
    process.send?.(rootID)
    return new Promise(() => {})
  },
})
await duties.want("rows", () => {
  process.send?.("rows")
  return new Promise(() => {})
})
process.send?.("serves")
