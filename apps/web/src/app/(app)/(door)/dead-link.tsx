import { Door } from "./door.tsx"

/** The page of an invalid link, with the reason. */
export function DeadLink({ message }: { message: string }) {
  return <Door title="This link does not work" text={message} />
}
