import { setTimeout as delay } from "node:timers/promises"
import { localPerson } from "@docket/core/local-person"
import { formatCost, formatTokens, treeUsage } from "@docket/core/usage"
import { listStatus, treeStatuses, type WorkStatus } from "@docket/core/work-status"
import type { Desk } from "./activities.ts"
import type { Reader } from "./reader.ts"

/** Number of checks, one every half second, until a notified page must have rendered a change. */
const looks = 60

const labels: Record<WorkStatus, string> = {
  queued: "Queued",
  running: "Running",
  away: "Waits for a host",
  needs: "Needs you",
  unread: "Unread",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
}

/** Reads each session's mark from the session rail; a string, because these files are type-checked without the DOM. */
const readRail = `Object.fromEntries([...document.querySelectorAll('[role=treeitem][data-session]')].map((row) => {
  const glyph = row.querySelector('[role=img]')?.getAttribute('aria-label')
  const mark = row.querySelector('[title="Needs you"]') ? 'Needs you' : glyph ?? (/retry \\d+$/.test(row.innerText.trim()) ? 'Running' : '')
  return [row.dataset.session, mark]
}))`

/** The rail's marks are those of the service, as soon as both are stable for a moment. */
export async function expectStatuses({ name, page }: Reader, desk: Desk): Promise<void> {
  await agree(desk, { where: name, check: "marks as the service has them" }, async () => {
    const shown = await page.evaluate<Record<string, string>>(readRail)
    return Object.entries(await statusesOf(desk)).flatMap(([id, status]) =>
      shown[id] === status ? [] : [`${id} is "${shown[id] ?? "not there"}", the service says "${status}"`],
    )
  })
}

async function statusesOf({ client, rootID }: Desk): Promise<Record<string, string>> {
  const tree = await client.session.tree.query({ sessionID: rootID })
  const { items } = await client.session.list.query({})
  const item = items.find(({ session }) => session.id === rootID)
  const root = item ? listStatus(item, localPerson) : null
  return Object.fromEntries(
    [...treeStatuses(tree)].map(([id, status]) => {
      // A finished child needs no mark, because its parent continues with the result.
      const listed = id === rootID ? root : status === "done" ? null : status
      return [id, listed === null ? "" : labels[listed]]
    }),
  )
}

/** The total in the cost panel is the sum that core computes for the tree. */
export async function expectTotals({ name, page }: Reader, desk: Desk): Promise<void> {
  await agree(desk, { where: name, check: "totals as core has them" }, async () => {
    const shown = await page
      .getByRole("row", { name: /^Total/ })
      .getByRole("cell")
      .allTextContents()
    const { sessions } = await desk.client.session.tree.query({ sessionID: desk.rootID })
    const { tokens, cost } = treeUsage(sessions).whole
    const tokenCells = [tokens.input, tokens.cache.read + tokens.cache.write, tokens.output + tokens.reasoning].map(
      formatTokens,
    )
    const figures = [...tokenCells, formatCost(cost)].join(" ")
    const seen = shown.join(" ")
    return seen === figures ? [] : [`the page says ${seen}, core ${figures}`]
  })
}

/** Work continues meanwhile, so the check is repeated until both agree. */
async function agree(
  { faults }: Desk,
  { where, check }: { where: string; check: string },
  differences: () => Promise<string[]>,
): Promise<void> {
  let last: string[] = []
  for (let look = 0; look < looks; look++) {
    last = await differences()
    if (last.length === 0) return faults.passed(check)
    await delay(500)
  }
  faults.add(where, `not the ${check}: ${last.join("; ")}`)
}
