// Runs beside the page, in the browser's audio thread: hands on what the microphone hears, in pieces of equal length.
registerProcessor(
  "microphone",
  class extends AudioWorkletProcessor {
    constructor({ processorOptions }) {
      super();
      this.piece = new Float32Array(processorOptions.pieceOf);
      this.filled = 0;
    }

    process([[channel = new Float32Array(0)] = []]) {
      for (const sample of channel) {
        this.piece[this.filled++] = sample;
        if (this.filled === this.piece.length) {
          this.port.postMessage(this.piece);
          this.filled = 0;
        }
      }
      return true;
    }
  },
);
