import { records } from "@docket/core/operations"
import { type ListedNode, NodeID, type NodeList } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"

const NodeInput = z.object({ nodeID: NodeID })

/** The processes of the service. They belong to no workspace. */
export const nodesRouter = router({
  /** The nodes with what they do, and what waits for nodes. A service of one process has one node. */
  list: allowed("service.manage").query(({ ctx }): Promise<NodeList> => ctx.nodes.list()),
  /** Lets a node take no more work. Answers with the node. */
  drain: allowed("service.manage", records("node.drained"))
    .input(NodeInput)
    .mutation(({ ctx, input }): Promise<ListedNode> => ctx.nodes.drain(input.nodeID)),
  /** Lets a node that drains take work again. Answers with the node. */
  resume: allowed("service.manage", records("node.resumed"))
    .input(NodeInput)
    .mutation(({ ctx, input }): Promise<ListedNode> => ctx.nodes.resume(input.nodeID)),
})
