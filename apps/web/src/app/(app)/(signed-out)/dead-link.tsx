import { SignedOutPage } from "./signed-out-page.tsx"

export function DeadLink({ message }: { message: string }) {
  return <SignedOutPage title="This link does not work" text={message} />
}
