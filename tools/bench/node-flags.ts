/** V8's flags, as the image starts a process (`NODE_OPTIONS` of the Dockerfile), so that its memory is that of users. */
export const NODE_FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=16']
