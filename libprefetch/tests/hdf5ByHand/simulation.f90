! SPDX-License-Identifier: Apache-2.0
! What the program of docs/hdf5.md computes, here: a sum, which is printed. It takes longer than what is to be done
! meanwhile: the first time a twin of HDF5 is loaded.
module simulation
  implicit none
  logical, private :: has_waited = .false.
contains
  subroutine compute(values)
    double precision, intent(in) :: values(:)
    call execute_command_line(trim(merge("sleep 0.2", "sleep 1  ", has_waited)))
    has_waited = .true.
    print "(a, i0)", "sum ", int(sum(values), 8)
  end subroutine
end module
