import type { ExecuteSql } from "@docket/core/turn-engine"
import { type Wake, wakeStatement } from "./wake.ts"

/** Changes are told together, so often (ms): more notifications than these would slow all commits down. */
const togetherMs = 100
/** The longest text of a notification (bytes). */
const longest = 7_900
const prefix = "rows"

/** Tells other nodes in which trees rows have changed. It is a reason to read them: some news are lost. */
export interface News {
  /** For one workspace. */
  of(tenantID: string): {
    tell(rootID: string): void
    /** Calls the listener with a tree that changed at any node, or null when news may have been lost. */
    listen(listener: (rootID: string | null) => void): () => void
  }
  close(): Promise<void>
}

interface NewsDeps {
  wake: Wake
  execute: ExecuteSql
  onError(error: unknown): void
}

export function createNews({ wake, execute, onError }: NewsDeps): News {
  const changed = new Map<string, Set<string>>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  const send = async () => {
    timer = undefined
    const texts = [...changed].flatMap(([tenantID, roots]) => textsOf(tenantID, [...roots]))
    changed.clear()
    for (const text of texts) {
      const { sql, values } = wakeStatement(text)
      await execute(sql, values)
    }
  }
  return {
    of: (tenantID) => ({
      tell(rootID) {
        const roots = changed.get(tenantID) ?? new Set()
        changed.set(tenantID, roots.add(rootID))
        timer ??= setTimeout(() => {
          sending = sending.then(send).catch(onError)
        }, togetherMs)
      },
      listen: (listener) =>
        wake.listen((text) => {
          if (text === null) return listener(null)
          const [kind, tenant, ...roots] = text.split(" ")
          if (kind === prefix && tenant === tenantID) for (const rootID of roots) listener(rootID)
        }),
    }),
    async close() {
      clearTimeout(timer)
      await sending
    },
  }
}

/** As many trees in a notification as fit. */
function textsOf(tenantID: string, roots: readonly string[]): string[] {
  const texts: string[] = []
  for (const rootID of roots) {
    const last = texts.at(-1)
    const longer = `${last} ${rootID}`
    if (last !== undefined && Buffer.byteLength(longer) <= longest) texts[texts.length - 1] = longer
    else texts.push(`${prefix} ${tenantID} ${rootID}`)
  }
  return texts
}
