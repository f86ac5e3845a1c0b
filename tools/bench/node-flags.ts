export const HEAP_MB = 512

/** As the image starts a process (`NODE_OPTIONS` of the Dockerfile), so that its memory is that of users. */
export const NODE_FLAGS = [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=16']
