import { Door } from "./door.tsx"

/** A link that opens nothing, with the reason. */
export function DeadLink({ message }: { message: string }) {
  return <Door title="This link does not work" text={message} />
}
