import { noTrace, type Trace } from "@docket/core/trace"

export interface LateTrace {
  trace: Trace
  /** From now on, everything is told to `trace`. */
  open(trace: Trace): void
  /** Nobody will watch: what waits goes on. */
  giveUp(): void
}

/** A trace for a service that is not open yet: its code is loaded when the service listens, and turns wait for it. */
export function createLateTrace(): LateTrace {
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  let now = noTrace
  let readers = 0
  return {
    trace: {
      begin: (...given) => now.begin(...given),
      headers: () => now.headers(),
      isTold: (host) => now.isTold(host),
      readers(change) {
        readers += change
        now.readers(change)
      },
      opened,
    },
    open(trace) {
      for (let at = 0; at < readers; at++) trace.readers(1)
      now = trace
      resolve()
    },
    giveUp: resolve,
  }
}
