/** Columns of the augmented system: six unknowns and the right-hand side. */
const WIDTH = 7;

const at = (m: Float64Array, row: number, column: number) => m[row * WIDTH + column] as number;

function swapRows(m: Float64Array, a: number, b: number): void {
  for (let k = 0; k < WIDTH; k++) {
    const kept = at(m, a, k);
    m[a * WIDTH + k] = at(m, b, k);
    m[b * WIDTH + k] = kept;
  }
}

/**
 * Solves six linear equations in place by elimination with partial pivoting. `m` holds six rows of six coefficients
 * and the right-hand side; afterwards the last column holds the solution.
 * @returns the determinant of the coefficients; with 0 there is no solution and `m` has no meaning.
 */
export function solveSix(m: Float64Array): number {
  let determinant = 1;
  for (let column = 0; column < 6; column++) {
    let pivot = column;
    for (let row = column + 1; row < 6; row++) {
      if (Math.abs(at(m, row, column)) > Math.abs(at(m, pivot, column))) pivot = row;
    }
    if (pivot !== column) {
      swapRows(m, pivot, column);
      determinant = -determinant;
    }
    const diagonal = at(m, column, column);
    determinant *= diagonal;
    if (diagonal === 0) return 0;
    for (let row = column + 1; row < 6; row++) {
      const factor = at(m, row, column) / diagonal;
      for (let k = column; k < WIDTH; k++) m[row * WIDTH + k] = at(m, row, k) - factor * at(m, column, k);
    }
  }
  for (let row = 5; row >= 0; row--) {
    let sum = at(m, row, 6);
    for (let k = row + 1; k < 6; k++) sum -= at(m, row, k) * at(m, k, 6);
    m[row * WIDTH + 6] = sum / at(m, row, row);
  }
  return determinant;
}
