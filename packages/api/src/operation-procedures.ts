import { type AnyOperation, isOperation, type Operation, type OperationTree } from "@docket/core/operations"
import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server"
import type { ApiContext } from "./context.ts"
import type { ApiErrorShape } from "./error-shape.ts"
import { allowed, type ProcedureMeta } from "./trpc.ts"

/** The procedures of operations, with the types that procedures written by hand would have. */
export type OperationProcedures<T> = {
  [N in keyof T]: T[N] extends Operation<infer Kind, infer Input, infer _Parsed, infer Output>
    ? Kind extends "query"
      ? TRPCQueryProcedure<{ input: Input; output: Output; meta: ProcedureMeta; errorShape: ApiErrorShape }>
      : TRPCMutationProcedure<{ input: Input; output: Output; meta: ProcedureMeta; errorShape: ApiErrorShape }>
    : OperationProcedures<T[N]>
}

/** Makes a procedure of each operation, which calls it as the caller has it. */
export function operationProcedures<T extends OperationTree>(tree: T, path: readonly string[]): OperationProcedures<T> {
  const made = Object.entries(tree).map(([name, one]) => [
    name,
    isOperation(one) ? procedureOf(one, [...path, name]) : operationProcedures(one, [...path, name]),
  ])
  // As `T` has it: each entry is made under its own name.
  return Object.fromEntries(made) as OperationProcedures<T>
}

function procedureOf({ kind, capability, audit, input }: AnyOperation, path: readonly string[]) {
  const begun = allowed(capability, audit)
  const taking = input === null ? begun : begun.input(input)
  const call = ({ ctx, input }: { ctx: Pick<ApiContext, "runtime">; input: unknown }) =>
    boundOperation(ctx.runtime, path)(input)
  return kind === "query" ? taking.query(call) : taking.mutation(call)
}

/** An operation by the parts of its name, among those that are bound to a caller. */
export function boundOperation(bound: object, path: readonly string[]): (input: unknown) => Promise<unknown> {
  return path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), bound) as (
    input: unknown,
  ) => Promise<unknown>
}
