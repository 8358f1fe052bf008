import { type AnyOperation, type Asker, isOperation, type Operation, type OperationTree } from "@docket/core/operations"
import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server"
import { may, requireOwn } from "./access/may.ts"
import type { ApiContext } from "./context.ts"
import type { ApiErrorShape } from "./error-shape.ts"
import { allowed, type ProcedureMeta } from "./trpc.ts"

/** The procedures of operations, with the same types as handwritten ones. */
export type OperationProcedures<T> = {
  [N in keyof T as T[N] extends Operation<"inner", never, never, unknown> ? never : N]: T[N] extends Operation<
    infer Kind,
    infer Input,
    infer _Parsed,
    infer Output
  >
    ? Kind extends "query"
      ? TRPCQueryProcedure<{ input: Input; output: Output; meta: ProcedureMeta; errorShape: ApiErrorShape }>
      : TRPCMutationProcedure<{ input: Input; output: Output; meta: ProcedureMeta; errorShape: ApiErrorShape }>
    : OperationProcedures<T[N]>
}

/** Makes a procedure of each operation that calls it for the caller. */
export function operationProcedures<T extends OperationTree>(tree: T, path: readonly string[]): OperationProcedures<T> {
  const served = Object.entries(tree).filter(([, one]) => !isOperation(one) || one.kind !== "inner")
  const made = served.map(([name, one]) => [
    name,
    isOperation(one) ? procedureOf(one, [...path, name]) : operationProcedures(one, [...path, name]),
  ])
  // The cast is safe: each entry is made under its own name, as `T` has it.
  return Object.fromEntries(made) as OperationProcedures<T>
}

function procedureOf({ kind, capability, audit, input }: AnyOperation, path: readonly string[]) {
  const begun = allowed(capability, audit)
  const taking = input === null ? begun : begun.input(input)
  const call = ({
    ctx,
    input,
    signal = null,
  }: {
    ctx: ApiContext
    input: unknown
    signal?: AbortSignal | undefined | null
  }) => boundOperation(ctx.runtime, path)(input, { ...askerOf(ctx), signal })
  return kind === "query" ? taking.query(call) : taking.mutation(call)
}

/** What operations get to know about the sender of a request. */
export function askerOf({ identity, origin, recorder }: Pick<ApiContext, "identity" | "origin" | "recorder">): Asker {
  return {
    actor: { kind: "user", name: "user" },
    may: (capability) => may(identity, capability),
    requireOwn: (by, capability) => requireOwn(identity, by, capability),
    origin,
    note: recorder && ((targets) => recorder.about(targets)),
    signal: null,
  }
}

type BoundOperation = (input: unknown, asker?: Partial<Asker>) => Promise<unknown>

/** Finds a bound operation by the parts of its name. */
export function boundOperation(bound: object, path: readonly string[]): BoundOperation {
  return path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), bound) as BoundOperation
}
