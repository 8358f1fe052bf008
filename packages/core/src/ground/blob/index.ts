export {
  asidePath,
  type BlobFacts,
  type BlobKey,
  type BlobSource,
  type Blobs,
  blobOfName,
  blobPath,
  DamagedBlob,
  type ListedBlob,
  tenantPath,
} from "./blobs.ts"
export { type CollectDeps, collectContents } from "./collect-contents.ts"
export { createFileBlobs } from "./file-blobs.ts"
export { checkedPieces, piecesOf, sizeOf, wholeOf } from "./read-blob.ts"
export { storeContent } from "./store-content.ts"
