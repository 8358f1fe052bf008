import type { Belonging } from "./belonging.ts"
import type { CallerServices } from "./caller-services.ts"

/** Use cases of somebody who may be removed while they call: what goes on by itself is begun by members alone. */
export function memberUseCases(of: CallerServices, { whileMember }: Belonging, person: string): CallerServices {
  const gated =
    <A extends unknown[], R>(act: (...input: A) => Promise<R>) =>
    (...input: A): Promise<R> =>
      whileMember(person, () => act(...input))
  const { session, prompt, task, schedule, share } = of
  return {
    ...of,
    session: { ...session, start: gated(session.start) },
    prompt: { ...prompt, submit: gated(prompt.submit) },
    task: { ...task, message: gated(task.message), retry: gated(task.retry), resume: gated(task.resume) },
    schedule: {
      ...schedule,
      create: gated(schedule.create),
      setStatus: gated(schedule.setStatus),
      runNow: gated(schedule.runNow),
    },
    share: { ...share, create: gated(share.create) },
  }
}
