import { expect } from "@playwright/test"
import type { Gate } from "../fixtures/gate.ts"
import type { Desk } from "./activities.ts"
import type { Reader } from "./reader.ts"
import { expectBack, follow, readUp, settles, toLatest } from "./reading.ts"
import type { Anchor } from "./row-watch.ts"

/**
 * What a reader sees of a service that is killed and comes back: one reads further up, the others at the end. All wait
 * for each other before it, and nobody touches their page.
 */
export async function crashService(
  reader: Reader,
  { faults }: Desk,
  { meeting, restarted }: { meeting: Gate; restarted: Promise<void> },
): Promise<void> {
  const { page, name } = reader
  // Nobody waits for a reader who does not come.
  const anchor = await begin(reader).catch((error: unknown) => {
    faults.add(name, String(error))
    return null
  })
  const cut = reader.cutOff(restarted)
  await meeting.wait()
  await cut
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
