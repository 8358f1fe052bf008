import type { MessageWithParts, SessionRevert } from "@docket/core/schema"

/** A page or window of messages without what is undone. */
export function visibleMessages(
  messages: MessageWithParts[],
  revert: SessionRevert | null | undefined,
): MessageWithParts[] {
  return revert ? messages.filter(({ info }) => info.id < revert.messageID) : messages
}
