export { type BlobEnvironment, type BlobSettings, readBlobAddress } from "./blob-address.ts"
export { checkBlobs, openBlobs } from "./open-blobs.ts"
