import type { Belonging } from "./belonging.ts"
import type { OtherServices } from "./runtime.ts"

/** Use cases of somebody who may be removed while they call: what goes on by itself is begun by members alone. */
export function memberUseCases(of: OtherServices, { whileMember }: Belonging, person: string): OtherServices {
  const gated =
    <A extends unknown[], R>(act: (...input: A) => Promise<R>) =>
    (...input: A): Promise<R> =>
      whileMember(person, () => act(...input))
  const { session, prompt, share } = of
  return {
    ...of,
    session: { ...session, start: gated(session.start) },
    prompt: { ...prompt, submit: gated(prompt.submit) },
    share: { ...share, create: gated(share.create) },
  }
}
