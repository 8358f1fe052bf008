import type { MessageWithParts, SessionRevert } from "@docket/core/schema"

/** A page or window of messages without the undone ones. */
export function visibleMessages(
  messages: MessageWithParts[],
  revert: SessionRevert | null | undefined,
): MessageWithParts[] {
  return revert ? messages.filter(({ info }) => info.id < revert.messageID) : messages
}
