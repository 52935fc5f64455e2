// Runs in the browser's audio thread: sends the microphone's samples to the page in chunks of equal length.
registerProcessor(
  "microphone",
  class extends AudioWorkletProcessor {
    constructor({ processorOptions }) {
      super();
      this.chunk = new Float32Array(processorOptions.chunkLength);
      this.filled = 0;
    }

    process([[channel = new Float32Array(0)] = []]) {
      for (const sample of channel) {
        this.chunk[this.filled++] = sample;
        if (this.filled === this.chunk.length) {
          this.port.postMessage(this.chunk);
          this.filled = 0;
        }
      }
      return true;
    }
  },
);
