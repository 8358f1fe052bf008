import { Door } from "./door.tsx"

export function DeadLink({ message }: { message: string }) {
  return <Door title="This link does not work" text={message} />
}
