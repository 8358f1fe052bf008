import { expect } from "@playwright/test"
import type { Gate } from "../fixtures/gate.ts"
import type { Desk } from "./activities.ts"
import type { Reader } from "./reader.ts"
import { expectBack, follow, readUp, settles, toLatest } from "./reading.ts"
import type { Anchor } from "./row-watch.ts"

/**
 * The view of a reader while the service is killed and restarted: one reads further up, the others are at the end. All
 * wait for each other before, and no page is touched meanwhile.
 */
export async function crashService(
  reader: Reader,
  { faults }: Desk,
  { meeting, restarted }: { meeting: Gate; restarted: Promise<void> },
): Promise<void> {
  const { page, name } = reader
  // A reader that fails goes on to the meeting too, so that the others do not wait for it.
  const anchor = await begin(reader).catch((error: unknown) => {
    faults.add(name, String(error))
    return null
  })
  const expecting = reader.expectNetworkErrors(restarted)
  await meeting.wait()
  await expecting
  await expect(page.getByText(/^(Reconnecting|Offline)$/)).toHaveCount(0, { ...settles, timeout: 90_000 })
  if (anchor) await expectBack(reader, faults, anchor, "a crash of the service")
  await follow(reader, faults, 10_000)
  faults.passed("came through a crash of the service")
}

async function begin(reader: Reader): Promise<Anchor | null> {
  const anchor = reader.name === "wide" ? await readUp(reader) : null
  if (anchor === null) await toLatest(reader)
  return anchor
}
