import type { PermissionReply, PermissionRequest } from "../schema/index.ts"

export interface PermissionService {
  pending(rootID?: string): Promise<PermissionRequest[]>
  /** @throws permission_request_not_found, permission_request_answered */
  reply(id: string, reply: PermissionReply, message?: string): Promise<PermissionRequest>
}
